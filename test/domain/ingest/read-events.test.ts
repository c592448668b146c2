import { describe, expect, it } from 'vitest';
import { Problem } from '../../../shared/contract/problems.ts';
import { readBatch, readEvent } from '../../../shared/domain/lineage/ingest/accept-openlineage.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const problemOf = (read: () => unknown): Problem | null => {
  try {
    read();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  return null;
};
const refusal = (read: () => unknown): string => problemOf(read)?.code ?? 'accepted';

describe('what acceptance reads of a body', () => {
  it.each([
    ['', 'openlineage_body_required'],
    ['{"a":', 'openlineage_invalid_json'],
    [' ', 'openlineage_invalid_json'],
    ['\ufeff{}', 'openlineage_invalid_json'],
    ['{"a":1,"a":2}', 'openlineage_invalid_json'],
    ['{"job":{"name":"a","n\\u0061me":"b"}}', 'openlineage_invalid_json'],
    ['[]', 'openlineage_invalid_event'],
    ['null', 'openlineage_invalid_event'],
    ['"text"', 'openlineage_invalid_event'],
    ['{}', 'accepted'],
  ])('as one event: %j is %s (C-OPENLINEAGE-5, C-ERROR-12)', (text, code) => {
    expect(refusal(() => readEvent(bytes(text)))).toBe(code);
  });

  it.each([
    ['', 'openlineage_body_required'],
    ['{}', 'openlineage_invalid_batch'],
    ['[]', 'openlineage_invalid_batch'],
    ['{"events":[{}],"other":1}', 'openlineage_invalid_batch'],
    ['{"events":[]}', 'openlineage_invalid_batch'],
    ['{"events":{}}', 'openlineage_invalid_batch'],
    ['"text"', 'openlineage_invalid_batch'],
    ['null', 'openlineage_invalid_batch'],
    [JSON.stringify(Array.from({ length: 1_001 }, () => ({}))), 'openlineage_batch_too_large'],
    [JSON.stringify(Array.from({ length: 1_000 }, () => ({}))), 'accepted'],
    ['[7]', 'accepted'],
  ])('as a batch: %.20s is %s (C-OPENLINEAGE-1, C-OPENLINEAGE-5)', (text, code) => {
    expect(refusal(() => readBatch(bytes(text)))).toBe(code);
  });

  it.each([
    ['{"run":{"runId":"r"}}', false],
    ['{"job":{"name":"declared"}}', true],
    ['{"run":null,"dataset":{"name":"declared"}}', true],
  ])('tells whether an event has a run: %s', (text, hasStaticEvents) => {
    expect(readEvent(bytes(text))).toMatchObject({ hasStaticEvents });
    expect(readBatch(bytes(`[7,{"run":{}},${text}]`))).toMatchObject({ hasStaticEvents });
  });

  it('names the facet that the listener for Spark sends twice for jobs on RDDs, and the setting without it', () => {
    const facet = '"processing_engine":{"version":"3.5.6","name":"spark"}';
    const event = `{"eventType":"COMPLETE","run":{"runId":"r","facets":{${facet},"spark_properties":{},${facet}}},"inputs":[]}`;
    expect(problemOf(() => readEvent(bytes(event)))).toMatchObject({
      errors: [{ path: '/run/facets/processing_engine' }],
      hint: expect.stringContaining('spark.openlineage.facets.processing_engine.disabled=true'),
    });
    expect(problemOf(() => readBatch(bytes(`{"events":[{},${event}]}`)))?.errors).toMatchObject([
      { path: '/events/1/run/facets/processing_engine' },
    ]);
  });

  it.each([
    ['{"a":', null],
    ['{"job":{"name":"a","n\\u0061me":"b"}}', '/job/name'],
    [`{"${'x'.repeat(201)}":1,"${'x'.repeat(201)}":2}`, ''],
  ])('says where a key comes twice, without repeating content: %.30s', (text, path) => {
    const problem = problemOf(() => readEvent(bytes(text)));
    expect(problem?.errors.map((error) => error.path)).toEqual(path === null ? [] : [path]);
    expect(problem?.hint).toBeNull();
  });

  it('refuses bytes that are no UTF-8', () => {
    expect(refusal(() => readEvent(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])))).toBe(
      'openlineage_invalid_json',
    );
  });

  it('counts the children of both forms of a batch, and those that are no objects (C-OPENLINEAGE-6)', () => {
    const events = '[{},7,null,"x",[],{"eventTime":"never"}]';
    for (const text of [events, `{"events":${events}}`]) {
      expect(readBatch(bytes(text))).toMatchObject({ itemCount: 6, refusedItemCount: 4 });
    }
  });
});
