import { Bench } from 'tinybench';
import { duplicateKeyAt } from '../shared/domain/base/json/duplicate-keys.ts';

/** What the duplicate-key check costs beside `JSON.parse`, for bodies of several shapes; one JSON line each. */
const column = (i: number) => ({
  namespace: 'postgres://db.acme.test:5432',
  name: `shop.public.t${i % 7}`,
  field: `c${i}`,
});
const event = (columns: number, sql: number) => ({
  eventTime: '2026-03-01T10:00:00Z',
  eventType: 'COMPLETE',
  run: { runId: '0190c6f2-7d2c-7b8e-9f5a-000000000001', facets: {} },
  job: { namespace: 'airflow://prod', name: 'orders.load', facets: { sql: { query: 'select "a", b\n'.repeat(sql) } } },
  inputs: Array.from({ length: 7 }, (_, i) => ({
    namespace: 'postgres://db.acme.test:5432',
    name: `shop.public.t${i}`,
  })),
  outputs: [
    {
      namespace: 'postgres://db.acme.test:5432',
      name: 'shop.public.orders',
      facets: {
        columnLineage: {
          fields: Object.fromEntries(
            Array.from({ length: columns }, (_, i) => [`column_${i}`, { inputFields: [column(i), column(i + 1)] }]),
          ),
        },
      },
    },
  ],
});

const bodies = {
  'event, 2 columns': JSON.stringify(event(2, 2)),
  'event, 50 columns': JSON.stringify(event(50, 20)),
  'event, 20,000 columns': JSON.stringify(event(20_000, 20)),
  'batch of 1,000, indented': JSON.stringify(
    Array.from({ length: 1_000 }, () => event(4, 10)),
    null,
    2,
  ),
  'one text of 8 MiB': JSON.stringify({ text: 'x'.repeat(8 * 1024 * 1024) }),
};

for (const [body, json] of Object.entries(bodies)) {
  const bench = new Bench({ time: 300, warmupTime: 100 });
  bench.add('parse', () => void JSON.parse(json)).add('check', () => void duplicateKeyAt(json));
  await bench.run();
  const [parse, check] = bench.tasks.map((task) => (task.result as { latency: { p50: number } }).latency.p50);
  console.log(
    JSON.stringify({
      body,
      bytes: json.length,
      parse_ms: parse,
      check_ms: check,
      share: Number(((check ?? 0) / (parse ?? 1)).toFixed(2)),
    }),
  );
}
