"""The providers by name: who parses the machine layer is a setting, ``SPHRAGIS_MACHINE``."""

from __future__ import annotations

from importlib import import_module

from ingest.machine.conllu import ConlluProvider
from ingest.machine.interface import MachineError, Provider
from ingest.machine.stoicheia import StoicheiaProvider
from ingest.settings import PROVIDERS, Settings


def choose_provider(settings: Settings) -> Provider | None:
    """Return the provider of the settings; None for ``none``, a build without machine layer.

    Raises:
        MachineError: there is no provider of the name.
    """
    if settings.machine == "none":
        return None
    if settings.machine == "conllu":
        return ConlluProvider(settings.parse)
    if settings.machine == "stoicheia":
        return StoicheiaProvider(settings.stoicheia, settings.stoicheia_revision, settings.trust_remote_code)
    if settings.machine == "crossfit":
        # Its libraries take long to load, and only this provider needs them.
        provider: Provider = import_module("ingest.machine.crossfit").CrossfitProvider(processes=settings.threads)
        return provider
    raise MachineError(f"SPHRAGIS_MACHINE: expected one of {', '.join(PROVIDERS)}, found {settings.machine!r}")
