"""Makes the pages of this folder: `python3 make_pages.py`. Seeded, so that it makes the same ones each time."""

import random

SENTENCES = """A rain barrel under the downspout keeps water for the dry weeks of the summer.
The lid should be closed when it is not in use, or the gnats will be there before you are.
She said that the town had not been asked about it, and that it would have been better to wait.
There are three of them in the garden, and each holds about as much as a bath.
You can have the tap at the height that you want, but it must be above the mud at the bottom.
In the first year we had so much water that we gave some of it to the neighbours.
It is not the price that keeps people from it, he says, but the weight of the thing when it is full.
Before the frost comes the barrel has to be emptied, for ice will break it from the inside.
The gutter was cleaned by the boys on Saturday, and by Sunday it was full of leaves again.
If you want to know how much you will get, take the size of the roof and the rain of a month.
What was found in the water after a week was no more than what is in any pond.
They have been making them out of oak for as long as there has been wine in this valley.
Nobody knows why the pump stopped, but it did so on the hottest day of the year.
All of this could be done in an afternoon by two people who have done it before.
And when the water is gone, there is still the well behind the house, as there always was.
The old mill has been closed since the flood, and what will be done with it is not clear yet.
""".strip().split("\n")
LINKS = "Home|News|Garden|Weather|About us|Contact|Archive|Help|Sign in|Subscribe|Sports|Letters|Shop|Events|Privacy".split("|")


def page(number):
    draw = random.Random(number)
    serial = iter(range(1000, 9999))
    # Each sentence ends in a number of its own, so that none stands in the text of two others.
    sentence = lambda: f"{draw.choice(SENTENCES)[:-1]} {next(serial)}."
    text = lambda least, most: " ".join(sentence() for _ in range(draw.randint(least, most)))
    link = lambda: f'<a href="/{draw.randint(1, 99)}">{draw.choice(LINKS)}</a>'
    teaser = lambda: f'<a href="/{draw.randint(1, 99)}">{" ".join(sentence().split()[: draw.randint(3, 7)])}</a>'
    some = lambda make, least, most: [make() for _ in range(draw.randint(least, most))]
    menu = "<ul class=\"menu\">" + "".join(f"<li>{it}</li>" for it in some(link, 4, 9)) + "</ul>"
    if number % 3 == 1:
        menu = "<div>" + " | ".join(some(link, 4, 9)) + "</div>"
    inline = lambda: text(1, 2) + draw.choice([" <b>" + sentence() + "</b> ", f" {link()} ", " <i>very</i> "]) + text(1, 2)
    paragraphs = [f"<p>{draw.choice([lambda: text(1, 4), inline])()}</p>" for _ in range(draw.randint(3, 8))]
    if number % 4 == 2:
        paragraphs = ["<br><br>".join(some(lambda: text(1, 3), 3, 6))]
    if number % 5 == 3:
        paragraphs.insert(2, "<h2>" + sentence()[:30] + "</h2>")
        paragraphs.insert(1, "<ul>" + "".join(f"<li>{text(1, 1)}</li>" for _ in range(3)) + "</ul>")
    if number % 6 == 4:
        paragraphs.append("<blockquote><p>" + text(1, 2) + "</p></blockquote>")
    title = " ".join(sentence().split()[:5])
    article = f'<h1>{title}</h1><p>{draw.choice(["By a reader", "12 May 2007"])}</p>' + "".join(paragraphs)
    side = f'<h3>More</h3>' + "".join(f"<p>{it}</p>" for it in some(teaser, 2, 6))
    comments = "".join(f"<div><p>{text(1, 1)}</p></div>" for _ in range(draw.randint(0, 3)))
    foot = f"<p>Copyright 2007 The Rain Barrel. {' '.join(some(link, 2, 4))}</p>"
    if number % 3 == 2:
        body = f"<table><tr><td>{menu}{side}</td><td>{article}</td></tr></table><div>{foot}</div>"
    else:
        body = (
            f'<div id="top">{menu}</div><div id="page"><div id="main">{article}</div>'
            f'<div id="right">{side}</div></div><div>{comments}</div><div id="end">{foot}</div>'
        )
    return f"<html><head><title>{title}</title></head><body>{body}</body></html>\n"


for number in range(24):
    with open(f"pages/{number:02}.html", "w") as file:
        file.write(page(number))
