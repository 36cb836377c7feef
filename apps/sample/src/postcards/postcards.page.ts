import { Callable } from '@nest-endpoints/core';

const html = `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width" />
  <title>Postcards</title>
  <style>
    body { font: 1rem/1.5 system-ui; max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }
    li button { margin-left: 1rem; }
  </style>
  <h1>Postcards</h1>
  <p>Open this page twice: what is written, changed or thrown away in one is seen in the other.</p>
  <form>
    <input name="text" placeholder="Wish you were here" required maxlength="200" />
    <input name="place" placeholder="Nice" required maxlength="100" />
    <button>Send</button>
  </form>
  <ul></ul>
  <script type="module">
    import { followRecords } from './live/client.js';

    const list = document.querySelector('ul');
    const form = document.querySelector('form');

    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const body = JSON.stringify(Object.fromEntries(new FormData(form)));
      await fetch('../postcards', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
      form.reset();
    });

    function item({ id, text, place }) {
      const shown = document.createElement('li');
      shown.textContent = text + ' (' + place + ')';
      const remove = document.createElement('button');
      remove.textContent = 'Throw away';
      remove.addEventListener('click', () => fetch('../postcards/' + id, { method: 'DELETE' }));
      shown.append(remove);
      return shown;
    }

    for await (const postcards of followRecords('../postcards')) list.replaceChildren(...postcards.map(item));
  </script>
</html>
`;

/** A page that shows the postcards, and whatever happens to them, in every browser that has it open. */
export const postcardsPage = new Callable({
  url: 'postcards/page',
  description: 'A page that shows the postcards while they change',
  returnStandardResponse: false,
  toCall: () => new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
});
