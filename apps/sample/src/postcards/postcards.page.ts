import { Callable } from '@nest-endpoints/core';

const html = `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width" />
  <title>Postcards</title>
  <style>
    body { font: 1rem/1.5 system-ui; max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }
    li button { margin-left: 1rem; }
    li img { display: block; max-width: 12rem; max-height: 12rem; border-radius: 0.5rem; }
  </style>
  <h1>Postcards</h1>
  <p>Open this page twice: what is written, changed or thrown away in one is seen in the other.</p>
  <form>
    <input name="text" placeholder="Wish you were here" required maxlength="200" />
    <input name="place" placeholder="Nice" required maxlength="100" />
    <input name="picture" type="file" accept="image/png,image/jpeg,image/webp" />
    <button>Send</button>
  </form>
  <ul></ul>
  <script type="module">
    import { followRecords } from './live/client.js';

    const list = document.querySelector('ul');
    const form = document.querySelector('form');

    const json = { 'Content-Type': 'application/json' };
    const post = async (url, body) => {
      const answer = await fetch(url, { method: 'POST', headers: json, body: JSON.stringify(body) });
      return (await answer.json()).data;
    };

    // A file is announced, then sent to the address that is the answer. Its key goes onto the postcard.
    async function send(file) {
      const bytes = await file.arrayBuffer();
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
      const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      const { key, upload } = await post('pictures', {
        name: file.name,
        type: file.type,
        bytes: file.size,
        sha256,
      });
      await fetch(upload.url, { method: upload.method, headers: upload.headers, body: bytes });
      return key;
    }

    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const { picture, ...postcard } = Object.fromEntries(new FormData(form));
      const key = picture.size > 0 ? { picture: await send(picture) } : {};
      await post('../postcards', { ...postcard, ...key });
      form.reset();
    });

    function item({ id, text, place, picture }) {
      const shown = document.createElement('li');
      shown.textContent = text + ' (' + place + ')';
      const remove = document.createElement('button');
      remove.textContent = 'Throw away';
      remove.addEventListener('click', () => fetch('../postcards/' + id, { method: 'DELETE' }));
      shown.append(remove);
      if (picture !== null) {
        const image = document.createElement('img');
        image.src = picture.url;
        image.alt = picture.name;
        shown.append(image);
      }
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
