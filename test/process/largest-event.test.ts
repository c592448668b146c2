import { expect, it } from 'vitest';
import { columnLineage, dataset, field, minute, runEvent } from '../domain/sources/openlineage/events.ts';
import { provideStores } from '../support/provide-stores.ts';
import { eventsWorkspace } from '../support/worked-events.ts';

provideStores();

it('maps the columns of an event as large as a body may be', async () => {
  const place = eventsWorkspace();
  const pad = 'x'.repeat(60);
  const columns = Array.from({ length: 30_000 }, (_, n): [string, object[]] => [
    `${pad}${n}`,
    [field(`a${n % 3}`, `${pad}${n}`)],
  ]);
  const inputs = ['a0', 'a1', 'a2'].map((name) => dataset(name));
  const event = runEvent({ inputs, outputs: [dataset('b', columnLineage(Object.fromEntries(columns)))] });
  expect(JSON.stringify(event).length).toBeLessThan(8 * 1024 * 1024);
  expect(await place.send(event)).toMatchObject({ state: 'projected', warnings: [] });
  const { tables, columns: mapped } = await place.graph([dataset('b')], minute(30));
  expect([tables.length, mapped.length]).toEqual([3, 30_000]);
});
