"""The twenty needles of the growing haystack: notes with a fact, and the question that asks for it. Pure data.

A needle's text has slots. The needle fills them with its own values; its near-duplicates fill them with others from
`POOLS`, never with a value that the question names or asks for. All of it was written for this purpose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Needle:
    """A note to be found. `values` fill the slots of title and text, `key` are those that near-duplicates change."""

    folder: str
    title: str
    text: str
    values: Mapping[str, str]
    key: tuple[str, ...]
    question: str
    answer: str


POOLS: Mapping[str, tuple[str, ...]] = {
    "person": ("Marta Lind", "Joel Okafor", "Priya Nair", "Tomas Reyes", "Edda Vogel", "Callum Boyd", "Noor Haddad",
               "Saskia Meer", "Ivo Petrov", "Lena Strand", "Ruben Katz", "Amina Diallo"),
    "other": ("Greta", "Oskar", "Yusuf", "Hannah", "Piet", "Rosa", "Malik", "Signe", "Dario", "Wanda"),
    "food": ("celery", "sesame", "shellfish", "lupin", "mustard", "buckwheat", "kiwi", "soy"),
    "instrument": ("cello", "oboe", "banjo", "clarinet", "accordion", "viola"),
    "city": ("Ghent", "Turku", "Bologna", "Porto", "Graz", "Aarhus", "Leeds", "Utrecht", "Gdansk", "Lyon"),
    "project": ("Heron", "Basalt", "Tundra", "Lantern", "Juniper", "Copper", "Meadow", "Drift"),
    "month": ("January", "February", "April", "May", "July", "August", "October", "December"),
    "number": ("12", "18", "24", "31", "36", "48", "55", "62"),
    "colour": ("amber", "teal", "crimson", "olive", "indigo", "ochre"),
    "tool": ("rsync", "tmux", "jq", "ripgrep", "podman", "systemd", "nginx", "postgres"),
    "dish": ("lentil soup", "rye loaf", "plum tart", "fish stew", "bean salad", "oat biscuits", "leek pie"),
    "herb": ("thyme", "sage", "dill", "caraway", "fennel", "marjoram"),
    "hotel": ("Hotel Astoria", "Pension Kolb", "the Harbour Inn", "Casa Verde", "the Old Mill", "Villa Rosa"),
    "minutes": ("20", "25", "30", "45", "50", "75"),
    "animal": ("parrot", "terrier", "tortoise", "greyhound", "rabbit", "canary"),
    "rule": ("no music", "no lunch", "no visitors", "no deliveries", "no hoovering", "no cameras"),
    "street": ("Mill Lane", "Quay Road", "Birch Street", "Station Square", "Abbey Hill", "Canal Row"),
}  # fmt: skip

NEEDLES: tuple[Needle, ...] = (
    Needle(
        "people",
        "{person}",
        "Met {person} through {other}. Reacts badly to {food}, even traces of it, so check the "
        "labels before a dinner. Plays the {instrument} in an amateur orchestra.",
        {"person": "Ilse Brandt", "other": "Piet", "food": "hazelnuts", "instrument": "bassoon"},
        ("person", "food"),
        "Which guest has an allergy to hazelnuts?",
        "Ilse Brandt",
    ),
    Needle(
        "people",
        "{person}",
        "{person} moved to {city} last spring and works from home now. Has a {animal} that "
        "needs walking at noon. Prefers calls in the afternoon.",
        {"person": "Henrik Moe", "city": "Bergen", "animal": "dachshund"},
        ("person", "city", "animal"),
        "the friend with the sausage dog who relocated to Norway",
        "Henrik Moe",
    ),
    Needle(
        "people",
        "{person}",
        "Used to share an office with {person}. Birthday on the {number}th of {month}; last year "
        "a book about lighthouses went down very well.",
        {"person": "Beatriz Salgado", "number": "9", "month": "November"},
        ("person", "month", "number"),
        "When was Beatriz born, so that I can send a card?",
        "November",
    ),
    Needle(
        "projects",
        "Project {project}",
        "Goal of {project}: move the archive off the old server before {month}. The "
        "budget was capped at {number} thousand. {person} signs off on purchases.",
        {"project": "Kestrel", "month": "September", "number": "74", "person": "Noor Haddad"},
        ("project", "number"),
        "How much money may Kestrel spend?",
        "74 thousand",
    ),
    Needle(
        "projects",
        "{project} retrospective",
        "What went wrong in {project}: the test machines were shared with "
        "another team, so every release waited for {person}. We agreed to book them a week ahead.",
        {"project": "Saltmarsh", "person": "Ivo Petrov"},
        ("project", "person"),
        "Why were Saltmarsh's deliveries always late?",
        "test machines",
    ),
    Needle(
        "projects",
        "{project} risks",
        "The largest risk for {project} is that the supplier in {city} stops making the "
        "sensor. A second source costs {number} per cent more.",
        {"project": "Plover", "city": "Brno", "number": "17"},
        ("project", "city", "number"),
        "What if the manufacturer discontinues Plover's part?",
        "second source",
    ),
    Needle(
        "projects",
        "{project} naming",
        "We dropped the working title and settled on {project} because the {colour} "
        "logo was drawn already and {person} had printed the stickers.",
        {"project": "Marigold", "colour": "vermilion", "person": "Lena Strand"},
        ("project", "colour"),
        "reason for choosing the name Marigold",
        "stickers",
    ),
    Needle(
        "meetings",
        "Meeting with {person} about {project}",
        "Decided to postpone the launch of {project} by two weeks "
        "because the translations are not ready. {person} tells the {city} office.",
        {"person": "Saskia Meer", "project": "Orchard", "city": "Utrecht"},
        ("project",),
        "Who informs the branch about Orchard's delay?",
        "Saskia Meer",
    ),
    Needle(
        "meetings",
        "Weekly, {month} {number}",
        "{person} asked for quieter rooms. We will try a rule: {rule} at the "
        "desks before eleven. {other} orders the screens.",
        {"month": "June", "number": "3", "person": "Callum Boyd", "rule": "no telephoning", "other": "Signe"},
        ("month", "rule"),
        "Until when should colleagues not take calls next to us?",
        "before eleven",
    ),
    Needle(
        "meetings",
        "Interview with {person}",
        "Strong on databases, honest about what they had not done. Wants to "
        "start in {month}. {other} worried about the long notice period; I would hire.",
        {"person": "Teodor Wick", "month": "March", "other": "Wanda"},
        ("person", "month"),
        "opinion on the applicant Wick",
        "I would hire",
    ),
    Needle(
        "meetings",
        "Call with the landlord of {street}",
        "The lift at {street} will be repaired in {month}. Until "
        "then deliveries go through the yard; the gate code is {number}{number}.",
        {"street": "Foundry Court", "month": "May", "number": "83"},
        ("street", "number"),
        "How do couriers get into Foundry Court while the elevator is broken?",
        "yard",
    ),
    Needle(
        "recipes",
        "{dish}",
        "Grandmother's {dish}: {herb} goes in at the very end, or it turns bitter. Bake for "
        "{minutes} minutes with the lid on.",
        {"dish": "chestnut dumplings", "herb": "lovage", "minutes": "35"},
        ("dish", "herb", "minutes"),
        "how long do the chestnut dumplings stay in the oven",
        "35 minutes",
    ),
    Needle(
        "recipes",
        "{dish}, second try",
        "Too dry the first time. Doubled the buttermilk, left out the {herb}, and it "
        "stayed moist for three days. {other} took half of it home.",
        {"dish": "quince cake", "herb": "aniseed", "other": "Rosa"},
        ("dish",),
        "What made the quince bake less crumbly?",
        "buttermilk",
    ),
    Needle(
        "recipes",
        "Sourdough starter",
        "Feed the starter every {minutes} hours in summer, with equal weights of rye "
        "flour and water. If it smells of {herb}, it is hungry.",
        {"minutes": "14", "herb": "nail varnish"},
        ("minutes", "herb"),
        "My levain stinks of acetone, what does that tell me?",
        "hungry",
    ),
    Needle(
        "travel",
        "{city} in {month}",
        "Stayed at {hotel} in {city}; ask for a room to the garden, the front faces the "
        "tram depot and the first one leaves before five.",
        {"city": "Lviv", "month": "August", "hotel": "the Linden House"},
        ("city", "hotel"),
        "Where in Lviv were we woken by trams early in the morning?",
        "Linden House",
    ),
    Needle(
        "travel",
        "Ferry to {city}",
        "The night ferry to {city} takes bicycles for {number} crowns, but only if they "
        "are booked two days before. Cabins on deck seven are the quiet ones.",
        {"city": "Visby", "number": "95"},
        ("city", "number"),
        "price for bringing a bike on the boat to Gotland",
        "95 crowns",
    ),
    Needle(
        "travel",
        "Packing for {city}",
        "Next time leave the umbrella at home: it rained sideways. Bring wool socks, "
        "the {colour} jacket, and cash, since the bus to {street} takes no cards.",
        {"city": "Tromso", "colour": "ochre", "street": "the cable car"},
        ("city", "street"),
        "Can I pay electronically on public transport in Tromso?",
        "takes no cards",
    ),
    Needle(
        "code",
        "{tool} notes",
        "When {tool} hangs on shutdown, look for a child that ignores the signal. Sending it "
        "twice skips the {number} second grace period.",
        {"tool": "gunicorn", "number": "40"},
        ("tool", "number"),
        "force a stuck gunicorn to stop right away",
        "Sending it twice",
    ),
    Needle(
        "code",
        "Backups with {tool}",
        "The nightly {tool} job excludes the {colour} disk on purpose: it only holds "
        "renders. Restores were last tried in {month} and took {minutes} minutes.",
        {"tool": "borg", "colour": "violet", "month": "February", "minutes": "90"},
        ("tool", "colour"),
        "Which drive is deliberately not saved by borg?",
        "violet disk",
    ),
    Needle(
        "code",
        "Odd bug in {project}",
        "Dates in {project} were a day early for everyone west of Greenwich: the parser "
        "took midnight as universal time. Fixed by storing the zone with it.",
        {"project": "Sundial"},
        ("project",),
        "off-by-one day for American users of Sundial",
        "zone",
    ),
)
