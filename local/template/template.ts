import * as v from 'valibot';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const Json: v.GenericSchema<unknown, Json> = v.lazy(() =>
  v.union([v.string(), v.number(), v.boolean(), v.null(), v.array(Json), v.record(v.string(), Json)]),
);

const Resource = v.object({
  Type: v.string(),
  Properties: v.optional(v.record(v.string(), Json), {}),
  Metadata: v.optional(v.record(v.string(), Json), {}),
});

/** The parts of a CloudFormation template that the local service reads. */
export const Template = v.object({
  Resources: v.record(v.string(), Resource),
  Outputs: v.optional(v.record(v.string(), v.object({ Value: Json })), {}),
});
export type Template = v.InferOutput<typeof Template>;
export type Resource = v.InferOutput<typeof Resource>;

/** The resources of one type, with their logical ids. */
export const resourcesOf = (template: Template, type: string): readonly (readonly [string, Resource])[] =>
  Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
