import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { wire, wired } from '../../local/template/wiring.ts';

const Properties = v.object({ QueueName: v.string() });

describe('a resource that the local service cannot read', () => {
  it('is refused with the place and the rule', () => {
    const queue = { Type: 'AWS::SQS::Queue', Properties: { QueueName: 5 }, Metadata: {} };
    const wiring = wire({ Parameters: {}, Resources: { Jobs: queue }, Outputs: {} }, 'http://queues.test');
    expect(() => wired(wiring, 'AWS::SQS::Queue', Properties)).toThrow(
      /^AWS::SQS::Queue Jobs has .* read: .*Expected string but received 5\s+→ at QueueName$/,
    );
  });
});
