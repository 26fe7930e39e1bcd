"""Payment providers: Mercado Pago, the PIX API of banks, and a clinic's own key."""
