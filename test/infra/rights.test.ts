import { beforeAll, describe, expect, it } from 'vitest';
import { type FunctionName, functionNames, functionSpecs } from '../../lib/function-specs.ts';
import { synthesize } from '../../local/synthesize.ts';
import { resourcesOf, type Template } from '../../local/template/template.ts';
import { type Bundled, bundled, bundledFunctions, rightsOf } from '../support/commands-used.ts';

type Statement = { readonly Action: string | readonly string[]; readonly Resource: unknown };

let template: Template;
let bundles: ReadonlyMap<string, Bundled>;
beforeAll(async () => {
  [template, bundles] = await Promise.all([synthesize(), bundledFunctions(functionNames)]);
}, 120_000);

/** What the policies of a function's role allow. */
function statementsOf(name: FunctionName): Statement[] {
  const id = new RegExp(`^Functions${name.replaceAll('-', '')}Role`, 'i');
  const policies = resourcesOf(template, 'AWS::IAM::Policy').filter(([policy]) => id.test(policy));
  expect(policies.length).toBeGreaterThan(0);
  return policies.flatMap(
    ([, { Properties }]) => (Properties['PolicyDocument'] as unknown as { Statement: Statement[] }).Statement,
  );
}

const actionsOf = (statements: readonly Statement[]) => statements.flatMap(({ Action }) => Action);
const ofStores = (actions: readonly string[]) =>
  actions.filter((action) => /^(dynamodb|s3|sqs|secretsmanager):/.test(action));

/** What Lambda does itself with the queue that feeds a function. */
const fed = ['ReceiveMessage', 'ChangeMessageVisibility', 'GetQueueUrl', 'DeleteMessage', 'GetQueueAttributes'];

describe('the role of a function', () => {
  it.each(functionNames)('allows %s what its bundle can send to a store, and nothing else', (name) => {
    const all = [...rightsOf(bundles.get(name) ?? { commands: new Set(), text: '' })];
    // A stream is there where a tenant chooses it: iceberg.test.ts looks at that right.
    const used = all.filter((right) => right !== 'firehose:PutRecordBatch');
    expect(used.length < all.length).toBe(functionSpecs[name].streams ?? false);
    const processed = functionSpecs[name].fedBy ? fed.map((action) => `sqs:${action}`) : [];
    // Lambda itself sends a failed call of the clock to its queue.
    if (['sweep', 'compactor'].includes(name))
      processed.push('sqs:GetQueueAttributes', 'sqs:GetQueueUrl', 'sqs:SendMessage');
    const allowed = new Set(ofStores(actionsOf(statementsOf(name))));
    expect([...allowed].toSorted()).toEqual([...new Set([...used, ...processed])].toSorted());
  });

  it('allows writing logs beside that, and nothing by a pattern', () => {
    for (const name of functionNames) {
      const actions = actionsOf(statementsOf(name));
      const others = new Set(actions.filter((action) => ofStores([action]).length === 0));
      expect([...others].toSorted(), name).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents']);
      expect(actions.filter((action) => action.includes('*'))).toEqual([]);
    }
  });

  it.each(['diff', 'export'] as const)('lets %s read, and note that a token was used', (name) => {
    // A comparison tells webhooks what a branch would break.
    const writes = name === 'diff' ? /Put|Delete|BatchWrite/ : /Put|Delete|BatchWrite|Send/;
    const written = ofStores(actionsOf(statementsOf(name))).filter((action) => writes.test(action));
    expect(written).toEqual(name === 'diff' ? ['s3:PutObject'] : []);
  });

  it('lets diff put no other objects than the comparisons that it keeps', () => {
    const puts = statementsOf('diff').filter(({ Action }) => [Action].flat().includes('s3:PutObject'));
    expect(puts).toHaveLength(1);
    expect(JSON.stringify(puts[0]?.Resource)).toContain('/comparisons/*');
  });

  it('lets nothing but listings and what is staged be deleted from buckets, and events by who compacts them', () => {
    const places = (names: readonly FunctionName[]) => {
      const deleting = names.flatMap(statementsOf).filter(({ Action }) => [Action].flat().includes('s3:DeleteObject'));
      return new Set(
        deleting.flatMap(({ Resource }) =>
          Array.from(JSON.stringify(Resource).matchAll(/"\/([^"]+)"/g), ([, at]) => at),
        ),
      );
    };
    expect([...places(functionNames.filter((name) => name !== 'compactor'))].toSorted()).toEqual([
      'listings/*',
      'staging/*',
    ]);
    expect([...places(['compactor'])].toSorted()).toEqual(['compacted/*', 'events/*', 'staging/*']);
  });

  // Which of two tables a command goes to is not in a bundle: these are all that are given the ledger.
  it.each([
    ['collect', { 'event-ledger': 'addEventCounts' }],
    ['access', { 'event-ledger': 'eventCountReader', 'event-shapes': 'shapeReader' }],
    ['projector', { 'event-shapes': 'shapeReader' }],
  ] as const)('lets %s do with the ledger of events what %j does', async (name, adapters) => {
    const lines = Object.entries(adapters).map(
      ([file, adapter]) => `export { ${adapter} } from './shared/adapters/dynamodb/events/${file}.ts';`,
    );
    const ledger = [...rightsOf(await bundled(lines.join('\n')))].toSorted();
    expect(ledger).toEqual(functionSpecs[name].eventLedger?.map((action) => `dynamodb:${action}`));
  });
});
