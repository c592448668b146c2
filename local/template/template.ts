import * as v from 'valibot';

export type TemplateValue =
  | string
  | number
  | boolean
  | null
  | readonly TemplateValue[]
  | { readonly [key: string]: TemplateValue };

const TemplateValue: v.GenericSchema<unknown, TemplateValue> = v.lazy(() =>
  v.union([v.string(), v.number(), v.boolean(), v.null(), v.array(TemplateValue), v.record(v.string(), TemplateValue)]),
);

const Resource = v.object({
  Type: v.string(),
  Properties: v.optional(v.record(v.string(), TemplateValue), {}),
  Metadata: v.optional(v.record(v.string(), TemplateValue), {}),
  /** What becomes of it when its stack is deleted: nothing that a laptop does, and the first thing that a review looks at. */
  DeletionPolicy: v.optional(v.string()),
});

const Output = v.object({ Value: TemplateValue, Export: v.optional(v.object({ Name: v.string() })) });

const Parameter = v.object({ Type: v.string(), Default: v.optional(v.string()) });

export const Template = v.object({
  Parameters: v.optional(v.record(v.string(), Parameter), {}),
  Resources: v.record(v.string(), Resource),
  Outputs: v.optional(v.record(v.string(), Output), {}),
});
export type Template = v.InferOutput<typeof Template>;
export const issuerAddress = 'IssuerAddress';

export type Resource = v.InferOutput<typeof Resource>;

export const resourcesOf = (template: Template, type: string): readonly (readonly [string, Resource])[] =>
  Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
