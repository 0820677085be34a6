"use strict";
(function () {
    const word = document.getElementById("word"), list = document.getElementById("found");
    const told = document.getElementById("told"), most = 60;
    const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    const entries = window.SPHRAGIS_INDEX.map((entry) => ({ entry, name: folded(entry[0]), all: folded(entry.join(" ")) }));
    const files = new Map(window.SPHRAGIS_INDEX.filter((entry) => entry[1] === "file").map((entry) => [entry[0], entry]));
    const parts = new Map();

    // A part of the look-up of published ids calls this when it has been loaded; a script may be loaded from the disk.
    window.SPHRAGIS_FOUND = (name, ids) => { parts.set(name, ids); show(); };
    function published(asked) {
        const name = asked.slice(2, 4);
        if (!parts.has(name)) {
            parts.set(name, {});
            const script = document.createElement("script");
            script.src = "ids/" + name + ".js";
            document.head.append(script);
            return [];
        }
        const found = parts.get(name)[asked.slice(4)];
        if (!found) return [];
        const [file, position] = found.split("#");
        return [[asked, "published sentence", window.SPHRAGIS_FILES[Number(file)] + "#s" + position, "its line, file and split"]];
    }
    function places(asked) {
        if (/^s-[0-9a-f]{16}$/.test(asked)) return published(asked);
        const at = asked.lastIndexOf("#"), file = files.get(asked.slice(0, at)), position = asked.slice(at + 1);
        if (at < 1 || !file || !/^[0-9]+$/.test(position)) return [];
        return [[asked, "sentence", file[2] + "#s" + position, "its line, and what became of it"]];
    }
    function show() {
        const given = word.value.trim(), asked = folded(given);
        list.replaceChildren();
        if (!asked) { told.textContent = ""; return; }
        const rank = (one) => (one.name === asked ? 0 : one.name.startsWith(asked) ? 1 : one.name.includes(asked) ? 2 : 3);
        const found = entries.filter((one) => one.all.includes(asked));
        found.sort((one, other) => rank(one) - rank(other));
        const all = [...places(given), ...found.map((one) => one.entry)];
        told.textContent = all.length + " found" + (all.length > most ? ", the first " + most + " shown" : "");
        if (/^c-[0-9a-f]{16}$/.test(given)) told.textContent = "A chunk: look up the ids in its column constituent_ids.";
        for (const entry of all.slice(0, most)) {
            const item = document.createElement("li"), link = document.createElement("a");
            link.href = entry[2];
            link.textContent = entry[0];
            item.append(link, " (" + entry[1] + ") " + entry[3]);
            list.append(item);
        }
    }
    word.addEventListener("input", show);
    document.getElementById("ask").addEventListener("submit", (event) => {
        event.preventDefault();
        show();
        const first = list.querySelector("a");
        if (first) first.focus();
    });
    word.value = new URLSearchParams(location.search).get("q") || "";
    show();
    word.focus();
})();
