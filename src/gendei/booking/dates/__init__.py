"""Dates and times as Brazilians write them, and back.

`resolve` finds the days and hours of a message; `describe` writes them for the patient. What the language leaves open
is decided like this:

- The future, where it is open: a day number or month that is over means the next one that has it. Of a day of a month
  the one behind is in `over` where it is nearer, because who says "3/11" on 23/11 hardly means the next year.
- Weeks run from Monday to Sunday. A weekday is the nearest to come. The weekday of today means next week, unless an
  hour or part of the day was said with it that is still ahead, or "hoje", "essa" or "agora"; while today is possible,
  both days are in `alternatives`.
- "quinta que vem" and "próxima quinta", when that day is still to come in this week, are disputed among natives: both
  days are in `alternatives` and `date` is the nearer one, except where the nearer is tomorrow, which one would have
  called "amanhã". "Na outra semana" is disputed too (next week, or the one behind it).
- "a outra segunda" and "segunda sem ser essa" are one week behind the nearest; the latter also excludes the nearest.
- A correction wins over what it corrects, and what is asked for over what is ruled out ("menos sexta", "quinta não
  posso"), which goes to `excluded`. Of several days the future ones count before the past ones.
- Hours from 1 to 6 without a part of the day are the afternoon, as in a clinic, unless written "06:30"; 7 to 12 are as
  written, except that "hoje às 8", written after 8, is 20:00. Parts of the day: madrugada 0-6, manhã 6-12, tarde 12-18,
  noite 18-23. A range that begins from 1 to 5 lies behind noon as a whole ("das 4 às 7"). "12am" is noon like "12pm".
- An hour that its part of the day contradicts ("às 10 da tarde") is left unread; the part of the day stands.
- Begin, middle and end of a month are its days 1-10, 11-20 and 21 on; of a week Monday-Tuesday, Tuesday-Thursday and
  Thursday-Friday. "Fim de semana" is Saturday and Sunday. The first week of a month is the first with a working day in
  it, the last one has more than a Monday.
- A day that is said to be over is the last one, and `past`: by its year, by "ontem" or "deste mês", or by a verb right
  before it ("fui na quinta", "foi dia 10").
- A number is a day or an hour only when the words around it make it one.
"""

from gendei.booking.dates.message import hour_alone, resolve
from gendei.booking.dates.rendering import describe
from gendei.booking.dates.resolution import Resolution

__all__ = ["Resolution", "describe", "hour_alone", "resolve"]
