import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oidcSessions } from '../../shared/adapters/oidc-sessions.ts';
import { beginningOf, isStorable } from '../../shared/contract/fields.ts';
import { intakeRoutes } from '../../shared/contract/lineage.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { uploadRoutes } from '../../shared/contract/uploads.ts';
import type { Delivery } from '../../shared/domain/lineage/ingest/deliveries/delivery.ts';
import { finishDelivery } from '../../shared/domain/lineage/ingest/deliveries/finish-delivery.ts';
import type { Finish } from '../../shared/domain/lineage/ingest/deliveries/ports.ts';
import { validateEvent } from '../../shared/domain/lineage/sources/openlineage/validate.ts';
import { readFieldsAndBody, readValidDocument } from '../../shared/runtime/body.ts';
import { startIssuer } from '../support/issuer.ts';

/** What no store or queue takes as a name or a key: halves of characters, NUL and two noncharacters. */
const unstorable = ['\ud800', 'a\udc00b', '\ud83d', 'x\0y', 'x\ufffe', '\uffffy'];

let issuer: Awaited<ReturnType<typeof startIssuer>>;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.stop());

const request = {
  method: 'POST',
  resource: '',
  path: '',
  params: {},
  query: {},
  headers: {},
  bytes: Buffer.alloc(0),
  gatewayId: '',
  base: 'https://service.test',
};

describe.each(unstorable)('the text %j', (text) => {
  it('is refused at its place as a key or name of an upload (C-INGEST-15)', () => {
    const announced = { workspace_id: 'ws_1', kind: 'openlineage_batch', content_length: 1, sha256: '0'.repeat(64) };
    for (const field of ['idempotency_key', 'provider_key', 'connector_id'] as const) {
      const read = () => readFieldsAndBody(uploadRoutes.createUpload, request, { ...announced, [field]: text });
      expect(placesOf(read)).toEqual([`/${field}`]);
    }
  });

  it('is refused at its place in a document that came by an upload, as in one that came by its route', async () => {
    const body = { workspace_id: 'ws_1', connector_id: 'con_1', export: [], import_source: text };
    const bytes = Readable.from([Buffer.from(JSON.stringify(body))]);
    const read = readValidDocument(intakeRoutes.postDatahubExport.body, bytes, null);
    await expect(read).rejects.toMatchObject({ errors: [{ path: '/import_source' }] });
  });

  it('is nobody as the subject of a session token', async () => {
    const { issuer: name, audience, jwksUrl } = issuer;
    const verify = oidcSessions({ issuer: name, audience, jwksUrl });
    expect(await verify(await issuer.sign(`ada${text}`), new Date())).toBeNull();
  });

  it.each([
    ['a symlink of type TABLE', { symlinks: facet({ identifiers: [{ namespace: 'n', name: text, type: 'TABLE' }] }) }],
    [
      'a symlink of type LOCATION',
      { symlinks: facet({ identifiers: [{ namespace: text, name: 'n', type: 'LOCATION' }] }) },
    ],
    ['a symlink of any other type', { symlinks: facet({ identifiers: [{ namespace: 'n', name: 'n', type: text }] }) }],
    ['a key of a facet', { columnLineage: facet({ fields: { [text]: { inputFields: [] } } }) }],
  ])('quarantines an event as %s', (_, facets) => {
    const result = validateEvent({ ...datasetEvent, dataset: { namespace: 'n', name: 'd', facets } });
    expect(result).toMatchObject({ valid: false, code: 'invalid_unicode' });
  });

  it('does not reach the store in quarantined items, warnings and unresolved columns', async () => {
    const finish = await finished(`/events/0/${text}: must be something`);
    expect([...finish.quarantined, ...finish.warnings].every(({ message }) => isStorable(message))).toBe(true);
  });
});

function placesOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    return error instanceof Problem ? error.errors.map(({ path }) => path) : ['no problem'];
  }
}

function facet(body: object) {
  return { _producer: 'https://example.test/p', _schemaURL: 'https://example.test/s', ...body };
}

const datasetEvent = {
  eventTime: '2026-11-20T12:00:00Z',
  producer: 'https://example.test/p',
  schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent',
};

/** What a delivery is ended with whose items and warnings say so. */
async function finished(message: string): Promise<Finish> {
  const finishes: Finish[] = [];
  const ports = {
    deliveries: {
      finish: async (_delivery: unknown, _from: unknown, finish: Finish) => {
        finishes.push(finish);
        return true;
      },
    },
    activity: { record: async () => undefined },
  };
  const statement = { code: 'invalid_event', message };
  const outcome = {
    kind: 'processed' as const,
    quarantined: [{ index: 0, ...statement }],
    unresolved: [],
    retractedEvidenceCount: 0,
    lastEventAt: null,
    warnings: [statement],
  };
  await finishDelivery(ports, { item_count: 1 } as Delivery, outcome, new Date());
  const [finish] = finishes;
  if (!finish) throw new Error('nothing was finished');
  return finish;
}

describe('a text that is cut', () => {
  it('is cut between characters, wherever that falls', async () => {
    for (let offset = 0; offset < 4; offset++) {
      const finish = await finished(`${'x'.repeat(offset)}${'😀'.repeat(600)}`);
      for (const { message } of [...finish.quarantined, ...finish.warnings]) {
        expect(isStorable(message)).toBe(true);
        expect(message).not.toContain('\ufffd\ufffd');
      }
    }
  });

  it('keeps as many characters as the limit allows, of any kind', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(anything, fc.nat(70), (text, length) => {
        const beginning = beginningOf(text, length);
        expect([...beginning].length).toBeLessThanOrEqual(length);
        if ([...text].length <= length) expect(beginning).toBe(text);
        else expect([...beginning].length).toBe(length);
      }),
    );
  });
});
