import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Cuts at a fixed length: a number, or a name that says that it counts characters. */
const cut =
  /\.(?:slice|substring|substr)\(0, (?:\d{2,}|\w*[lL]ength|longest\w*|max(?:Report|Title|Description|Chars)|limits\.[\w.]+)\)/g;

/** What stands before a cut of a text that we make, which is ASCII. */
const ownText =
  /(?:'(?:hex|base64url)'\)|toISOString\(\)|contentDigest\(column\)|\['sk'\]\?\.S \?\? ''\)|\b(?:time|commit|received_?[aA]t|element|sk)|checksum\(rest)$/;
const list =
  /(?:\b(?:candidates|changes|columns|subjects|violations|breaking|sorted|names|steps|beginning\]|places|settings)|\.sort\(\)|\.map\(.*\)|values\(\)\]|(?<!join\([^\n]*)[)s]\n +)$/;

it('cuts texts of others by code points in one place: no store takes half a character', () => {
  const files = globSync('{shared,functions,cli,local}/**/*.ts').filter((file) => !file.includes('generated'));
  const cuts = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(cut)].map(({ 0: call, index }) => ({
      file,
      call,
      before: text.slice(0, index).slice(-90),
    }));
  });
  expect(cuts.length).toBeGreaterThan(20);
  const unknown = cuts.filter(({ before }) => !ownText.test(before) && !list.test(before));
  expect(unknown.map(({ file, call, before }) => `${file}: ${before.split('\n').at(-1)}${call}`)).toEqual([]);
});
