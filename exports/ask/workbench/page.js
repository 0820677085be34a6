// What makes the page quicker where a browser runs scripts; everything works without it.
'use strict';

// Control and Enter asks, as in other search boxes.
for (const box of document.querySelectorAll('form.ask textarea')) {
    box.addEventListener('keydown', (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            box.form.requestSubmit();
        }
    });
}

// While a request runs, the button says so; empty fields stay out of the address.
for (const form of document.querySelectorAll('form.ask')) {
    form.addEventListener('submit', () => {
        const button = form.querySelector('button');
        button.setAttribute('aria-busy', 'true');
        button.textContent = 'Running …';
        for (const field of form.querySelectorAll('input, select')) {
            if (!field.value) field.disabled = true;
        }
    });
}

// Back from another page: the form is as it was.
window.addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
});

// The place of a fault is where one goes on writing.
const faulty = document.querySelector('textarea[data-line]');
if (faulty) {
    const before = faulty.value.split('\n').slice(0, Number(faulty.dataset.line) - 1);
    const start = before.reduce((sum, line) => sum + line.length + 1, 0) + Number(faulty.dataset.column) - 1;
    faulty.focus();
    faulty.setSelectionRange(start, start + 1);
}

// The trees of a hit open below it.
for (const link of document.querySelectorAll('a.open')) {
    link.addEventListener('click', async (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
        event.preventDefault();
        const row = link.closest('tr');
        const next = row.nextElementSibling;
        if (next && next.classList.contains('detail')) {
            next.remove();
            link.setAttribute('aria-expanded', 'false');
            return;
        }
        try {
            const answer = await fetch(link.href + '&part=1');
            if (!answer.ok) throw new Error(answer.status);
            const detail = document.createElement('tr');
            const cell = document.createElement('td');
            detail.className = 'detail';
            cell.colSpan = row.children.length;
            // The server has escaped everything, and the policy of the page lets no script in it run.
            cell.innerHTML = await answer.text();
            const whole = document.createElement('p');
            whole.append(Object.assign(document.createElement('a'), { href: link.href, textContent: 'Everything about this sentence' }));
            cell.firstElementChild.append(whole);
            detail.append(cell);
            row.after(detail);
            link.setAttribute('aria-expanded', 'true');
        } catch {
            location.href = link.href;
        }
    });
}
