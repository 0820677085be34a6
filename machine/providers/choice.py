"""The providers by name: who parses the machine layer is a setting, ``SPHRAGIS_MACHINE``."""

from __future__ import annotations

from importlib import import_module

from machine.interface import MachineError, Provider
from machine.providers.conllu import ConlluProvider
from machine.providers.stoicheia import StoicheiaProvider
from runtime.settings import PROVIDERS, Settings


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
        provider: Provider = import_module("machine.providers.crossfit").CrossfitProvider(processes=settings.threads)
        return provider
    raise MachineError(f"SPHRAGIS_MACHINE: expected one of {', '.join(PROVIDERS)}, found {settings.machine!r}")
