"""Gendei: a clinic's receptionist on WhatsApp. Start reading at docs/architecture.md."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
"""numpy reads it when it is imported. Its products are small here: a second thread doubles what they cost."""
