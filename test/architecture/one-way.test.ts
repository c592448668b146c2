import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const sources = globSync('{shared,functions}/**/*.ts').map((file) => ({ file, text: readFileSync(file, 'utf8') }));

it.each([
  ['canonical JSON is made', /of Object\.keys\(value\)\.sort\(\)/, 'shared/domain/base/digest.ts'],
  ['a Bearer credential is read', /\^Bearer /, 'shared/domain/workspaces/access/secret.ts'],
  ['media types, charsets and encodings are read', /charset\\s|x-gzip/, 'shared/domain/base/body.ts'],
  ['PartiQL is sent', /new BatchExecuteStatementCommand/, 'shared/adapters/dynamodb/requests/batched-changes.ts'],
  [
    'a single item is put or deleted',
    /new (?:PutItem|DeleteItem)Command/,
    'shared/adapters/dynamodb/requests/items.ts',
  ],
])('%s by one module only', (_, pattern, module) => {
  expect(sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file)).toEqual([module]);
});

it('an update of an item is written by one function, except if it compares or joins what is stored', () => {
  const writes = sources.filter(({ text }) => text.includes('UpdateExpression:')).map(({ file }) => file);
  expect(writes.toSorted()).toEqual(
    [
      'graph/retire/prune.ts',
      'graph/scopes/scope-heads.ts',
      'graph/scopes/scope-orders.ts',
      'registry/rate-buckets.ts',
      'requests/update-item.ts',
    ].map((file) => `shared/adapters/dynamodb/${file}`),
  );
});
