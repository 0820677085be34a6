"use strict";
(function () {
    const word = document.getElementById("word"), list = document.getElementById("found");
    const told = document.getElementById("told"), most = 60;
    const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    const entries = window.SPHRAGIS_INDEX.map((entry) => ({ entry, name: folded(entry[0]), all: folded(entry.join(" ")) }));
    function show() {
        const asked = folded(word.value.trim());
        list.replaceChildren();
        if (!asked) { told.textContent = ""; return; }
        const found = entries.filter((one) => one.all.includes(asked));
        const rank = (one) => (one.name === asked ? 0 : one.name.startsWith(asked) ? 1 : one.name.includes(asked) ? 2 : 3);
        found.sort((one, other) => rank(one) - rank(other));
        told.textContent = found.length + " found" + (found.length > most ? ", the first " + most + " shown" : "");
        for (const { entry } of found.slice(0, most)) {
            const item = document.createElement("li"), link = document.createElement("a");
            link.href = entry[2];
            link.textContent = entry[0];
            item.append(link, " (" + entry[1] + ") " + entry[3]);
            list.append(item);
        }
    }
    word.addEventListener("input", show);
    document.getElementById("ask").addEventListener("submit", (event) => { event.preventDefault(); show(); });
    word.value = new URLSearchParams(location.search).get("q") || "";
    show();
    word.focus();
})();
