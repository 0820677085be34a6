"""Write composed sentences the way each treebank project lays out its files.

One function per project, of its name. Each takes a `Part` (one document of the plan) and its sentences and returns
text: whole XML documents are made by `xml_document`, CoNLL-U blocks are simply joined. What differs between the
projects is kept on purpose: order and quoting of attributes, lemma of a comma, elision sign, numbering of sentences.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from xml.sax.saxutils import quoteattr

from ingest.sample.features import PROIEL_TAGS, feats
from ingest.sample.grammar import ELISION, Token

HOMERIC_MARKS = {",": "comma", ".": "period", "·": "punc"}
HARRINGTON_CASES = {
    "SBJ": {"n": "N-SUBJ", "a": "A-SUBJ", "g": "G-ABSOL"},
    "OBJ": {"a": "A-DO", "d": "D-IO", "g": "G-OBJEC"},
    "ATR": {"g": "G-POSS"},
    "PNOM": {"n": "N-PRED", "a": "A-PRED"},
    "ADV": {"a": "A-ORIENT", "d": "D-LOCAT", "g": "G-ORIENT"},
}
BOOKS = {
    "Romans": "ROM",
    "1 Corinthians": "1COR",
    "2 Corinthians": "2COR",
    "Galatians": "GAL",
    "Philemon": "PHLM",
    "Matthew": "MATT",
    "Acts": "ACTS",
    "Luke": "LUKE",
    "Hebrews": "HEB",
    "Genesis": "GEN",
    "Ruth": "RUTH",
}


@dataclass(frozen=True)
class Part:
    """One document of the plan: where it goes, who wrote it, how many sentences, how passages are numbered."""

    project: str
    path: str
    document: str
    source_author: str
    style: str
    rows: int
    passage: str
    copies: str


@dataclass
class Sentence:
    """A composed sentence in its place: number in the document (from 1), passage, line numbers of its words."""

    tokens: list[Token]
    number: int
    passage: str
    chapter: str = ""
    lines: list[int] = field(default_factory=list)
    original: int = 0


Write = Callable[[Part, list[Sentence]], str]


@dataclass(frozen=True)
class Layout:
    """How a project lays out its files: writer of sentences, elision sign, a folder below that of the registry."""

    write: Write
    elision: str
    folder: str


LAYOUTS: dict[str, Layout] = {}
"""The layouts of this module by project."""


def layout(elision: str, folder: str = "") -> Callable[[Write], Write]:
    """Make a function the writer of the project that it is named after."""

    def enter(write: Write) -> Write:
        LAYOUTS[write.__name__] = Layout(write, elision, folder)
        return write

    return enter


def spelled(token: Token, project: str, number: int) -> str:
    """Give the form with the project's own elision sign (a third of Gorman's sentences have another one)."""
    if ELISION not in token.form:
        return token.form
    sign = LAYOUTS[project].elision
    if project == "gorman" and number % 3 == 0:
        sign = "\u1fbd"
    return token.form.replace(ELISION, sign)


def _heads(tokens: list[Token]) -> tuple[dict[int, int], list[int]]:
    numbers = {id(token): index for index, token in enumerate(tokens, 1)}
    return numbers, [numbers[id(t.head)] if t.head is not None else 0 for t in tokens]


def first_id(part: Part) -> int:
    """Give the id of a document's first sentence: older AGDT files count through the whole release."""
    if part.project != "agdt":
        return 1
    return {"line": 2_000_001, "bookline": 2_185_541}.get(part.passage.split(":")[0], 1)


@layout(elision="\u0313")
def agdt(part: Part, sentences: list[Sentence]) -> str:
    """Write AGDT sentences: plain, with a citation on each word, or the older layout of Homer."""
    kind = part.passage.split(":")[0]
    is_homer = kind == "bookline"
    cited = kind in ("line", "bookline")
    work = ":".join([*part.document.split(":")[:3], ".".join(part.document.split(":")[-1].split(".")[:2])])
    out: list[str] = []
    for sentence in sentences:
        number = sentence.number + first_id(part) - 1
        if cited:
            out.append(f'    <sentence subdoc="{sentence.passage}" id="{number}" document_id="{part.document}">')
            if part.source_author == "Hesiod":
                out += ["      <primary>samplea</primary>", "      <primary>sampleb</primary>"]
                out.append("      <secondary>samplec</secondary>")
            elif not is_homer:
                out.append("      <annotator>SampleA</annotator>")
        else:
            out.append(f'    <sentence id="{number}" document_id="{part.document}" subdoc="{sentence.passage}">')
        _, heads = _heads(sentence.tokens)
        for index, (token, head) in enumerate(zip(sentence.tokens, heads, strict=True), 1):
            form = quoteattr(spelled(token, part.project, sentence.number))
            lemma = HOMERIC_MARKS.get(token.lemma, token.lemma) if is_homer else token.lemma
            tag = token.tag
            if is_homer and token.upos == "ADV" and token.relation == "AuxY":
                tag = "g" + tag[1:]
            if cited:
                line = sentence.lines[index - 1]
                book = f"{sentence.chapter}." if is_homer else ""
                cite = "" if token.is_punctuation else f"{work}:{book}{line}"
                out.append(
                    f'      <word id="{index}" form={form} lemma="{lemma}" postag="{tag}" '
                    f'head="{head}" relation="{token.relation}" cite="{cite}"/>'
                )
            else:
                out.append(
                    f'      <word id="{index}" form={form} lemma="{lemma}" postag="{tag}" '
                    f'relation="{token.relation}" head="{head}"/>'
                )
        out.append("    </sentence>")
    return "\n".join(out)


@layout(elision="\u02bc")
def gorman(part: Part, sentences: list[Sentence]) -> str:
    """Write Gorman sentences: attributes over several lines, marks on the root, some words wrapped."""
    has_ref = part.path.startswith("Xen_Anab")
    out: list[str] = []
    for sentence in sentences:
        out += [
            f'   <sentence id="{sentence.number}"',
            f'             document_id="{part.document}"',
            f'             subdoc="{sentence.passage}"',
            '             span="">',
        ]
        _, heads = _heads(sentence.tokens)
        for index, (token, head) in enumerate(zip(sentence.tokens, heads, strict=True), 1):
            form = quoteattr(spelled(token, part.project, sentence.number))
            ref = f' ref="{900_000 + sentence.number * 100 + index}"' if has_ref else ""
            lemma = "punc1" if token.is_punctuation else token.lemma
            head = 0 if token.is_punctuation else head
            start = f'      <word id="{index}"{ref} form={form} lemma="{lemma}" postag="{token.tag}"'
            if len(start) > 80:
                out += [f'{start} relation="{token.relation}"', f'            head="{head}"/>']
            else:
                out.append(f'{start} relation="{token.relation}" head="{head}"/>')
        out.append("   </sentence>")
    return "\n".join(out)


@layout(elision="\u2019")
def pedalion(part: Part, sentences: list[Sentence]) -> str:
    """Write Pedalion sentences: single quotes, `ref`, `sem`, sometimes `gloss`, `Author` and `corrupt` or neither."""
    has_gloss = len(part.path) % 2 == 0
    out: list[str] = []
    for sentence in sentences:
        attributes = f"id='{sentence.number}' document_id='{part.document}'"
        if part.passage == "bare":
            attributes += f" Author='{part.source_author}'"
        elif not (part.path == "menander_dyskolos.xml" and sentence.number < 5):
            attributes += f" Author='{part.source_author}' subdoc='{sentence.passage}' corrupt=''"
        out.append(f"<sentence {attributes}>")
        _, heads = _heads(sentence.tokens)
        for index, (token, head) in enumerate(zip(sentence.tokens, heads, strict=True), 1):
            form = spelled(token, part.project, sentence.number)
            head = 0 if token.is_punctuation else head
            gloss = " gloss=''" if has_gloss else ""
            sem = "agent" if token.relation == "SBJ" else ""
            out.append(
                f"<word ref='Sample|{part.document}|{sentence.number}|{index}' id='{index}' form='{form}' "
                f"lemma='{token.lemma}' postag='{token.tag}' relation='{token.relation}' head='{head}'{gloss} "
                f"sem='{sem}'/>"
            )
        out.append("</sentence>")
    return "\n".join(out)


@layout(elision="\u1fbd", folder="CITE_TREEBANK_XML/perseus")
def harrington(part: Part, sentences: list[Sentence]) -> str:
    """Write Harrington sentences: labels named after cases."""
    out: list[str] = []
    for sentence in sentences:
        opening = f'document_id="{part.document}" subdoc="{sentence.passage}" span=""'
        out.append(f'   <sentence id="{sentence.number}" {opening}>')
        _, heads = _heads(sentence.tokens)
        for index, (token, head) in enumerate(zip(sentence.tokens, heads, strict=True), 1):
            form = quoteattr(spelled(token, part.project, sentence.number))
            base, _, suffix = token.relation.partition("_")
            label = HARRINGTON_CASES.get(base, {}).get(token.tag[7], base)
            if base == "ADV" and token.tag[7] == "n":
                label = "CP-TEMPOR"
            label += f"_{suffix}" if suffix else ""
            lemma = "punc1" if token.is_punctuation else token.lemma
            out.append(
                f'      <word id="{index}" form={form} lemma="{lemma}" postag="{token.tag}" '
                f'relation="{label}" head="{head}"/>'
            )
        out.append("   </sentence>")
    return "\n".join(out)


def _text(forms: list[str], punctuation: list[bool]) -> str:
    text = ""
    for form, is_mark in zip(forms, punctuation, strict=True):
        text += form if is_mark or not text else f" {form}"
    return text


def _rows(part: Part, sentence: Sentence, tokens: list[Token], misc: list[str], deprels: list[str]) -> list[str]:
    numbers = {id(token): index for index, token in enumerate(tokens, 1)}
    rows: list[str] = []
    for index, token in enumerate(tokens, 1):
        head = numbers[id(token.ud_head)] if token.ud_head is not None else 0
        xpos = {"ud_perseus": token.tag, "ud_ptnk": "_"}.get(part.project, PROIEL_TAGS.get(token.upos, "X-"))
        columns = [
            str(index),
            spelled(token, part.project, sentence.number),
            token.lemma,
            token.upos,
            xpos,
            feats(token.tag, token.upos, part.project),
            str(head),
            deprels[index - 1],
            "_",
            misc[index - 1],
        ]
        rows.append("\t".join(columns))
    return rows


def _spacing(tokens: list[Token]) -> list[bool]:
    return [index + 1 < len(tokens) and tokens[index + 1].is_punctuation for index in range(len(tokens))]


@layout(elision="\u0313")
def ud_perseus(part: Part, sentences: list[Sentence]) -> str:
    """Write UD Perseus: `newdoc id`, ids that point at the AGDT sentence, the nine-position tag as XPOS."""
    blocks: list[str] = []
    for place, sentence in enumerate(sentences):
        tokens = sentence.tokens
        forms = [spelled(t, part.project, sentence.number) for t in tokens]
        head = [f"# newdoc id = {part.document}"] if place == 0 else []
        head.append(f"# sent_id = {part.document}@{sentence.original}")
        head.append(f"# text = {_text(forms, [t.is_punctuation for t in tokens])}")
        misc = ["SpaceAfter=No" if glued else "_" for glued in _spacing(tokens)]
        deprels = [t.deprel for t in tokens]
        blocks.append("\n".join(head + _rows(part, sentence, tokens, misc, deprels)))
    return "\n\n".join(blocks)


@layout(elision="\u2019")
def ud_proiel(part: Part, sentences: list[Sentence]) -> str:
    """Write UD PROIEL: `# source`, no marks, `Ref=` in MISC, objects in other cases as `obl:arg`."""
    blocks: list[str] = []
    for sentence in sentences:
        tokens = [t for t in sentence.tokens if not t.is_punctuation]
        forms = [spelled(t, part.project, sentence.number) for t in tokens]
        if part.document.startswith("Histories"):
            ref = f"1.{sentence.passage.replace(':', '.')}"
        else:
            book = part.document.split(", ")[1]
            ref = f"{BOOKS[book]}_{sentence.passage.replace(':', '.')}"
        head = [
            f"# source = {part.document} {sentence.chapter}",
            f"# text = {' '.join(forms)}",
            f"# sent_id = {sum(map(ord, part.document)) * 1000 + sentence.number}",
        ]
        deprels = [
            "obl:arg" if t.deprel == "obj" and t.tag[7] in "gd" else "discourse" if t.relation == "AuxY" else t.deprel
            for t in tokens
        ]
        blocks.append("\n".join(head + _rows(part, sentence, tokens, [f"Ref={ref}"] * len(tokens), deprels)))
    return "\n\n".join(blocks)


@layout(elision="\u1fbf")
def ud_ptnk(part: Part, sentences: list[Sentence]) -> str:
    """Write UD PTNK: ids with book and verse, `parallel_id`, glosses in MISC, no XPOS."""
    blocks: list[str] = []
    for sentence in sentences:
        tokens = sentence.tokens
        forms = [spelled(t, part.project, sentence.number) for t in tokens]
        verse = sentence.passage
        ref = f"{BOOKS[part.document]}_{verse.replace(':', '.')}"
        head = [
            f"# sent_id = Septuagint-{part.document}-{verse}-grc",
            f"# text = {_text(forms, [t.is_punctuation for t in tokens])}",
            f"# parallel_id = sample/{part.document[:3].lower()}-{verse.replace(':', '-')}",
        ]
        misc = [
            ("" if t.is_punctuation else "Gloss=sample|") + f"Ref={ref}" + ("|SpaceAfter=No" if glued else "")
            for t, glued in zip(tokens, _spacing(tokens), strict=True)
        ]
        blocks.append("\n".join(head + _rows(part, sentence, tokens, misc, [t.deprel for t in tokens])))
    return "\n\n".join(blocks)


def _agdt_header(part: Part, title: str) -> str:
    return f"""  <header>
    <releaseDate>1 January 2026</releaseDate>
    <annotationScheme>Sample in the manner of the Ancient Greek dependency treebank</annotationScheme>
    <fileDesc>
      <editionStmt>
        <respStmt>
          <persName>
            <short>SampleA</short>
            <name>Sample Annotator</name>
            <address>nowhere</address>
            <uri>about:sample</uri>
          </persName>
          <resp>annotator of the text</resp>
        </respStmt>
      </editionStmt>
      <biblStruct>
        <monogr>
          <author>{part.source_author}</author>
          <title>{title}</title>
          <imprint>
            <publisher>none: text made up for tests</publisher>
            <date>2026</date>
          </imprint>
        </monogr>
      </biblStruct>
    </fileDesc>
    <encodingDesc xml:space="preserve">
    Generated. No edition of {part.source_author} stands behind this file.
    </encodingDesc>
  </header>"""


_ANNOTATORS = """   <date>2026-01-01 00:00:00 UTC</date>
   <annotator>
      <short/>
      <name/>
      <address/>
      <uri>about:sample</uri>
  </annotator>
   <annotator>
      <short>Sample Annotator</short>
      <name>Sample Annotator</name>
      <address>nowhere</address>
      <uri>about:sample</uri>
  </annotator>"""


def xml_document(part: Part, body: str) -> str:
    """Put the frame of the project's files around the sentences."""
    declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
    if part.project == "agdt":
        cts = f"{part.document}.tb"
        if part.passage.startswith("bookline"):
            opening = f'<treebank xml:lang="grc" version="2.1" cts="{cts}">\n  <body>\n'
            return f"{declaration}{opening}{body}\n  </body>\n</treebank>\n"
        opening = f'<treebank version="2.1" xml:lang="grc" cts="{cts}">\n'
        title = f"Sample text under the id {part.document.split(':')[-1]}"
        return f"{opening}{_agdt_header(part, title)}\n  <body>\n{body}\n  </body>\n</treebank>\n"
    if part.project == "gorman":
        kind = "aldt" if part.path.startswith("Xen_") else "morphgrc"
        opening = (
            '<treebank xmlns:saxon="http://saxon.sf.net/"\n          xml:lang="grc"\n          version="1.5"\n'
            f'          direction="ltr"\n          format="{kind}">\n'
        )
        return f"{declaration}{opening}{_ANNOTATORS}\n{body}\n</treebank>\n"
    if part.project == "harrington":
        is_latin = "latinLit" in part.document
        opening = (
            f'<treebank xmlns:saxon="http://saxon.sf.net/"\n          xml:lang="{"lat" if is_latin else "grc"}"\n'
            f'          format="{"harrington" if is_latin else "jmhgreek"}"\n          direction="ltr"\n'
            '          version="1.5">\n'
        )
        return f"{declaration}{opening}{_ANNOTATORS}\n{body}\n</treebank>\n"
    opening = '<treebank xml:lang="grc" xmlns:saxon="http://saxon.sf.net/" format="aldt" version="1.5">\n'
    comment = (
        f"\n<!--\n## {part.source_author or 'Various'}\n\n**What?** Sample text\n\n**Who?** Sample Annotator.\n-->\n"
    )
    return f"{declaration}{opening}{comment}\n{body}\n\n</treebank>\n"
