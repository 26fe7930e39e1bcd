"""Clients that show an account's certificate: banks ask for one of each receiver."""

import hashlib
import ssl
from collections.abc import Callable
from tempfile import NamedTemporaryFile

import httpx

from gendei.payments.provider import PaymentAccount
from gendei.providers.exchange import TIMEOUT


class CertifiedClients:
    """A client for each certificate, kept. credential: as for the adapter; "certificate" is the certificate with its
    private key, both as PEM, or "" for a bank that asks for none (`certificate` of the settings is "none")."""

    def __init__(self, credential: Callable[[PaymentAccount, str], str]) -> None:
        self._credential = credential
        self._clients: dict[str, httpx.AsyncClient] = {}

    def __call__(self, account: PaymentAccount) -> httpx.AsyncClient:
        """Raises SecretUnreadable, and ssl.SSLError for what is no certificate with its key."""
        pem = "" if account.settings.get("certificate") == "none" else self._credential(account, "certificate")
        name = f"{account.clinic_id}/{hashlib.sha256(pem.encode()).hexdigest()}"
        if name not in self._clients or self._clients[name].is_closed:
            self._clients[name] = httpx.AsyncClient(verify=tls_context(pem), timeout=TIMEOUT, follow_redirects=False)
        return self._clients[name]


def tls_context(pem: str) -> ssl.SSLContext:
    """Of a client that shows this certificate, if any. The key stands for a moment in a file that only this process's
    user can read: Python takes it no other way."""
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if pem:
        with NamedTemporaryFile("w", suffix=".pem") as file:
            file.write(pem)
            file.flush()
            context.load_cert_chain(file.name)
    return context
