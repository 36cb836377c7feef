// The sidebar of the site: the list of pages, `docs/README.md`. The checks of the pages see to it that it has all of them.
import { readFileSync } from 'node:fs';

/** @returns {{ text: string, collapsed?: boolean, items: { text: string, link: string }[] }[]} */
export function sidebar() {
  const groups = [];
  for (const line of readFileSync(new URL('../docs/README.md', import.meta.url), 'utf8').split('\n')) {
    const [, heading] = /^## (.+)$/.exec(line) ?? [];
    const [, text, target] = /^(?:- |\| )\[([^\]]+)\]\(([^)]+)\.md\)/.exec(line) ?? [];
    if (heading !== undefined) groups.push({ text: heading, items: [] });
    else if (target !== undefined) groups.at(-1).items.push({ text: titled(text, line), link: `/${target}` });
  }
  return groups.map((group) => (group.text === 'Decisions' ? { ...group, collapsed: true } : group));
}

/** Decisions have numbers there; what was decided stands behind them. */
function titled(text, line) {
  const [, title] = /^- \[\d+\]\([^)]+\): (.+)$/.exec(line) ?? [];
  if (title !== undefined) return title;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
