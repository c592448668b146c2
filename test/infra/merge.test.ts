import { describe, expect, it } from 'vitest';
import { merge } from '../../local/template/merge.ts';
import type { Template, TemplateValue } from '../../local/template/template.ts';

const queue = { Type: 'AWS::SQS::Queue', Properties: {}, Metadata: {} };
const exporting: Template = {
  Parameters: {},
  Resources: { Queue: queue },
  Outputs: { QueueUrl: { Value: { Ref: 'Queue' }, Export: { Name: 'Data:Queue' } }, Plain: { Value: 'plain' } },
};
const importing = (value: TemplateValue, id = 'Function'): Template => ({
  Parameters: {},
  Resources: { [id]: { ...queue, Properties: { Environment: { Variables: { QUEUE: value } } } } },
  Outputs: { Told: { Value: value } },
});

describe('stacks that are merged', () => {
  it('have what one exports in the place where another imports it, at any depth', () => {
    const { Resources, Outputs } = merge([
      exporting,
      importing({ 'Fn::Join': ['', [{ 'Fn::ImportValue': 'Data:Queue' }, '/*']] }),
    ]);
    const joined = { 'Fn::Join': ['', [{ Ref: 'Queue' }, '/*']] };
    expect(Resources['Function']?.Properties).toEqual({ Environment: { Variables: { QUEUE: joined } } });
    expect(Resources['Queue']).toEqual(queue);
    expect(Outputs['Told']).toEqual({ Value: joined });
    expect(Outputs['Plain']).toEqual({ Value: 'plain' });
  });

  it('are refused if one imports what none exports', () => {
    expect(() => merge([exporting, importing({ 'Fn::ImportValue': 'Data:Other' })])).toThrow('Data:Other');
  });

  it('are refused if two have a resource of one name', () => {
    expect(() => merge([exporting, importing('', 'Queue')])).toThrow('Queue');
  });
});
