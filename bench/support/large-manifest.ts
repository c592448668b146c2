import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

type Manifest = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A manifest of at least this many bytes: copies of one, each its own project whose models read each other. */
export function largeManifest(file: string, bytes: number): Manifest {
  const text = gunzipSync(readFileSync(file)).toString('utf8');
  const first: Manifest = JSON.parse(text);
  const copies = Array.from({ length: Math.ceil(bytes / text.length) - 1 }, (_, index) => copyOf(text, index + 2));
  const maps = Object.entries(first).map(([name, entries]) => [
    name,
    ['nodes', 'sources', 'macros', 'parent_map', 'child_map'].includes(name)
      ? Object.assign({}, entries, ...copies.map((copy) => copy[name]))
      : entries,
  ]);
  return Object.fromEntries(maps);
}

/** The project is called `big` wherever it is named. */
const copyOf = (text: string, number: number): Manifest =>
  JSON.parse(text.replaceAll(/\bbig\b/g, `big${number}`).replaceAll(/"macro\.dbt/g, `"macro.dbt${number}`));
