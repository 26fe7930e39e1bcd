"""Which clinic owns a connected number: gendei_numbers/{provider}_{externalId}.

A claim is part of the commit that stores its clinic, so that of two clinics that are imported at once only one gets a
number. A clinic that was stored before there were claims has none until its next import: what its document says counts.
"""

from dataclasses import dataclass

from gendei.clinic import Channel, Clinic, ClinicId
from gendei.clinics.stored import clinic_path
from gendei.documents import Data, Documents, Transaction, document_id
from gendei.errors import ConfigurationError
from gendei.records import Record

Number = tuple[str, str]
"""A provider, and its name for the number."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """Who owns a number, and the revision of its document that said so."""

    clinic_id: ClinicId
    revision: int


_CLAIM = Record(_Claim, "gendei_numbers/{provider}_{externalId}")


def number_of(channel: Channel) -> Number:
    """The number that a channel connects."""
    return channel.provider, channel.external_id


def require_number(clinic: Clinic, channel: Channel, owner: ClinicId) -> None:
    """Raise ConfigurationError where `owner` is another clinic."""
    if owner != clinic.id:
        place = [number_of(other) for other in clinic.channels].index(number_of(channel))
        problem = f"the number {channel.external_id} belongs to the clinic {owner} already."
        remedy = "Use this clinic's own number, or take it out of the other clinic first."
        raise ConfigurationError(f"clinic {clinic.id}", f"channels[{place}]", problem, remedy)


async def claim_numbers(
    documents: Documents, transaction: Transaction, clinic: Clinic, stored: Data, revision: int
) -> None:
    """Claim the numbers of `clinic`, and release those that only `stored`, its document until now, has. Raises
    ConfigurationError where another clinic has one of them."""
    for channel in clinic.channels:
        claim = await transaction.get(_path(number_of(channel)))
        standing = _CLAIM.found(claim)
        owner = standing.clinic_id if standing else clinic.id
        if owner != clinic.id and await _has(documents, owner, number_of(channel)):
            require_number(clinic, channel, owner)
        # the revision makes it another document each time: Firestore counts a write without a change as none, and
        # the owner's import has to collide with that of a clinic that found the claim to be left over
        transaction.put(claim.path, _CLAIM.write(_Claim(clinic.id, revision)))
    for number in _numbers(stored) - {number_of(channel) for channel in clinic.channels}:
        claim = await transaction.get(_path(number))
        standing = _CLAIM.found(claim)
        if standing is None or standing.clinic_id == clinic.id:
            transaction.delete(claim.path)
        else:
            transaction.put(claim.path, _CLAIM.write(standing))


async def _has(documents: Documents, clinic_id: ClinicId, number: Number) -> bool:
    """Whether the clinic still stands with this number; what was removed by hand leaves its claim behind."""
    return number in _numbers((await documents.get(clinic_path(clinic_id))).data or {})


def _numbers(data: Data) -> set[Number]:
    return {(channel["provider"], channel["externalId"]) for channel in data.get("channels", ())}


def _path(number: Number) -> str:
    return f"gendei_numbers/{document_id('_'.join(number))}"
