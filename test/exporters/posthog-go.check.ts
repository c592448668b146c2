import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptPosthogBatch } from '../../shared/domain/events/accept-batch.ts';
import { collectionPorts, collectRequest, projectKey } from '../support/collection-ports.ts';
import { type RequestRecorder, recordRequests } from '../support/request-recorder.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '..', '..');
const hasGo = await run('go', ['version']).then(
  () => true,
  () => false,
);
if (!hasGo) console.log('posthog-go is not tried: go is not there.');

let recorder: RequestRecorder;
let folder: string;
beforeAll(async () => {
  recorder = await recordRequests();
  folder = mkdtempSync(path.join(tmpdir(), 'posthog-go-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await recorder.stop();
});

it.skipIf(!hasGo)('posthog-go sends only accepted events, set up as documented (C-POSTHOG-20)', async () => {
  const [, code = ''] = /```go\n(.+?)```/s.exec(readFileSync(path.join(root, 'sdk', 'README.md'), 'utf8')) ?? [];
  const client = code.replace('<PROJECT_KEY>', projectKey).replace('https://tributary.example.com', recorder.baseUrl);
  writeFileSync(path.join(folder, 'client.go'), client);
  writeFileSync(path.join(folder, 'go.mod'), 'module shop\n\ngo 1.23\n');
  copyFileSync(path.join(root, 'test', 'fixtures', 'posthog-go', 'main.go'), path.join(folder, 'main.go'));
  await run('go', ['get', 'github.com/posthog/posthog-go@v1.5.2'], { cwd: folder });
  await run('go', ['run', '.'], { cwd: folder });
  expect(new Set(recorder.requests.map((one) => `${one.method} ${one.path}`))).toEqual(
    new Set(['POST /collect/batch/']),
  );
  const ports = collectionPorts();
  for (const { headers, query, bytes } of recorder.requests)
    await acceptPosthogBatch(ports, collectRequest(bytes, { headers, query }));
  const events = ports.accepted.flatMap(({ lines }) => lines.map((line) => JSON.parse(line)));
  expect(events.map(({ type, event }) => event ?? type)).toEqual(['Order Placed', 'identify', 'group', 'page']);
});
