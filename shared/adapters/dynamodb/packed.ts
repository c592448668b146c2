import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Fault } from '../../contract/fault.ts';

/** Below this deflating costs more than the bytes it saves. */
const worthDeflating = 512;

/** A JSON value as one attribute: text while it is short, deflated bytes when it is not. */
export function pack(value: unknown): AttributeValue {
  const text = JSON.stringify(value);
  return text.length < worthDeflating ? { S: text } : { B: deflated(text) };
}

/** A JSON value as bytes, however short: what `unpack` reads as `B`. */
export const packedBytes = (value: unknown): Uint8Array => deflated(JSON.stringify(value));

const deflated = (text: string) => deflateRawSync(text, { level: 3 });

/** The value that `pack` stored. */
export function unpack(attribute: AttributeValue | undefined): unknown {
  if (attribute?.S !== undefined) return JSON.parse(attribute.S);
  if (attribute?.B !== undefined) return JSON.parse(inflateRawSync(attribute.B).toString('utf8'));
  throw new Fault('packed_value_missing', 'the attribute holds no packed value');
}
