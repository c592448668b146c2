import { describe, expect, it } from 'vitest';
import { readBatch, readEvent } from '../../../shared/domain/ingest/read-events.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const refusal = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    return (error as { code?: string }).code ?? 'no problem';
  }
  return 'accepted';
};

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

  it('refuses bytes that are no UTF-8', () => {
    expect(refusal(() => readEvent(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])))).toBe(
      'openlineage_invalid_json',
    );
  });

  it('counts the children of both forms of a batch, and those that are no objects (C-OPENLINEAGE-6)', () => {
    const events = '[{},7,null,"x",[],{"eventTime":"never"}]';
    for (const text of [events, `{"events":${events}}`]) {
      expect(readBatch(bytes(text))).toEqual({ itemCount: 6, refusedItemCount: 4 });
    }
  });
});
