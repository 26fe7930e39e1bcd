"""The clinic file's `deposits`: what it may say, and what is refused."""

PEM = "\n".join(f"-----BEGIN {kind}-----\nYQ==\n-----END {kind}-----" for kind in ("CERTIFICATE", "PRIVATE KEY"))
BANK = {"base_url": "https://pix.example", "client_id": "c", "client_secret": "s"}
BY_HAND = {"provider": "manual", "key": "pix@aurora.example", "city": "Campinas"}
DEPOSITS = [
    ("deposits", {"provider": "manual", "key": "pix@aurora.example", "city": "Campinas"}),
    (
        "deposits",
        {
            "provider": "mercado_pago",
            "merchant_name": "Aurora",
            "pay_within_minutes": 45,
            "refund_until_hours": 48,
            "after_no_shows": 2,
            "no_show_deposit_cents": 4000,
            "mercado_pago": {"access_token": "APP_USR-1", "webhook_secret": "w", "payer_email": "pix@aurora.example"},
        },
    ),
    (
        "deposits",
        {
            "provider": "pix_api",
            "key": "+5519987654321",
            "pix_api": {"base_url": "https://pix.example", "client_id": "c", "client_secret": "s", "certificate": PEM},
        },
    ),
]
REFUSED = [
    ("deposits", {}),
    ("deposits", {"provider": "paypal"}),
    ("deposits", {"provider": "manual", "city": "Campinas"}),
    ("deposits", {"provider": "manual", "key": "pix@aurora.example"}),
    ("deposits", {"provider": "manual", "key": "a key", "city": "Campinas"}),
    ("deposits", {"provider": "mercado_pago"}),
    ("deposits", {**BY_HAND, "pay_within_minutes": 9}),
    ("deposits", {**BY_HAND, "after_no_shows": 1}),
    ("deposits", {**BY_HAND, "no_show_deposit_cents": 4000}),
    ("deposits", {**BY_HAND, "after_no_shows": 1, "no_show_deposit_cents": 99}),
    ("deposits", {**BY_HAND, "pix_api": {"base_url": "http://pix.example", "client_id": "c", "client_secret": "s"}}),
    ("deposits", {**BY_HAND, "pix_api": {**BANK, "certificate": "/etc/efi.p12"}}),
    ("deposits", {**BY_HAND, "mercado_pago": {"access_token": "a", "webhook_secret": "w", "payer_email": "pix"}}),
]
WRONG_DEPOSITS = [REFUSED[0], REFUSED[5]]
"""Those that are tried over the API; tests/clinics/test_deposits.py tries each."""
