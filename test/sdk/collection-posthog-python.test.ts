import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptPosthogBatch } from '../../shared/domain/events/accept-batch.ts';
import { collectionPorts, collectRequest, projectKey } from '../support/collection-ports.ts';
import { python, pythonPackage } from '../support/python.ts';
import { type RequestRecorder, recordRequests } from '../support/request-recorder.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const client = await pythonPackage('posthog', '7.91.1');
if ('missing' in client) console.log(`posthog-python is not tried: ${client.missing}.`);

let recorder: RequestRecorder;
beforeAll(async () => {
  recorder = await recordRequests();
});
afterAll(() => recorder.stop());

it.skipIf('missing' in client)('sends only accepted events, set up as documented (C-POSTHOG-20)', async () => {
  if ('missing' in client) throw new Error('nothing to try');
  const [, code] = /```python\n(.+?)```/s.exec(readFileSync(path.join(root, 'sdk', 'README.md'), 'utf8')) ?? [];
  const script = path.join(root, 'test', 'fixtures', 'posthog-python', 'capture.py');
  await python(client.folder, script, { code, key: projectKey, url: recorder.baseUrl }, {});
  expect(new Set(recorder.requests.map(({ method, path }) => `${method} ${path}`))).toEqual(
    new Set(['POST /collect/batch/']),
  );
  const ports = collectionPorts();
  for (const { headers, query, bytes } of recorder.requests)
    await acceptPosthogBatch(ports, collectRequest(bytes, { headers, query }));
  const events = ports.accepted.flatMap(({ lines }) => lines.map((line) => JSON.parse(line)));
  expect(events.map(({ type, event }) => event ?? type)).toEqual(['Order Placed', 'identify', 'group']);
});
