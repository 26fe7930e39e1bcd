"""What a member of staff does at the booking desk, and what else stands in the commit of a booking."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gendei.booking.agenda import AgendaEdit
from gendei.booking.appointment import BY_PATIENT, BY_STAFF, Appointment, ChangedSince
from gendei.booking.events import Doer, DoerKind
from gendei.documents import Write


@dataclass(frozen=True, slots=True)
class StaffAct:
    """What a member of staff does, beyond what patients may. by: the name. seen: the `version` of the appointment that
    they looked at, None for whatever it is now. beside: more writes of the same commit, made for what it leaves.
    user_id: as in the audit. notify: the patient shall be told of it. minutes: how long it takes, in place of the
    service's duration. override: also where the time is taken or outside of the hours; who asks has the right to it."""

    by: str
    seen: str | None = None
    beside: Callable[[Appointment], Sequence[Write]] = lambda _appointment: ()
    user_id: str = ""
    notify: bool = False
    minutes: int | None = None
    override: bool = False

    def require_seen(self, present: Appointment) -> None:
        """Raise ChangedSince where somebody else was faster."""
        if self.seen not in {None, present.version}:
            raise ChangedSince(present)

    @property
    def cause(self) -> str:
        """Who did it, as the ledger of a charge names them."""
        return self.by if self.by == BY_PATIENT else self.user_id or BY_STAFF

    @property
    def doer(self) -> Doer:
        return Doer(DoerKind.PATIENT if self.by == BY_PATIENT else DoerKind.STAFF, self.user_id)


class Alongside:
    """What is decided and written in the transaction of a booking or a move: nothing, unless a subclass does."""

    async def before(self, edit: AgendaEdit) -> None:
        """Called once the pages are loaded, and before any rule is asked. Raises what refuses the whole."""

    def after(self, edit: AgendaEdit, appointment: Appointment) -> None:
        """Called with what will be committed."""


ALONE = Alongside()
