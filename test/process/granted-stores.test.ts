import * as v from 'valibot';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { functionNames, pageFunction } from '../../lib/function-specs.ts';
import { synthesize } from '../../local/synthesize.ts';
import { issuerAddress, resourcesOf, type Template } from '../../local/template/template.ts';

const pending = vi.hoisted(() => new Set<string>());
vi.mock('../../shared/runtime/environment.ts', async (original) => {
  const { environment } = await original<typeof import('../../shared/runtime/environment.ts')>();
  const recorded: typeof environment = (name) => {
    pending.add(name);
    return environment(name);
  };
  return { environment: recorded };
});

const Environment = v.object({ Variables: v.looseObject({ POWERTOOLS_SERVICE_NAME: v.string() }) });

let template: Template;
beforeAll(async () => {
  template = await synthesize();
});
beforeEach(() => {
  pending.clear();
  vi.resetModules();
  vi.stubGlobal('awslambda', { streamifyResponse: (handler: unknown) => handler });
});
afterEach(() => {
  vi.unstubAllEnvs();
});

function variablesOf(name: string): readonly (readonly [variable: string, value: unknown])[] {
  for (const [, { Properties }] of resourcesOf(template, 'AWS::Lambda::Function')) {
    const { success, output } = v.safeParse(Environment, Properties['Environment']);
    if (success && output.Variables.POWERTOOLS_SERVICE_NAME === name) return Object.entries(output.Variables);
  }
  throw new Error(`the template has no function ${name}`);
}

const isReference = (value: unknown): boolean => typeof value !== 'string';

/** A store's name is a reference to a resource; the issuer's address is one to a parameter. */
const isStore = (value: unknown): boolean => isReference(value) && !JSON.stringify(value).includes(issuerAddress);

// A function gets the names of exactly the stores that its role reaches; without a name that it needs, its start fails.
it.each(functionNames)('%s asks for every store that it may use, and starts only with those', async (name) => {
  const variables = variablesOf(name);
  for (const [variable, value] of variables)
    vi.stubEnv(variable, isReference(value) ? 'https://store.example' : String(value));
  await import(`../../functions/${name}/handler.ts`);
  const stores = variables.filter(([, value]) => isStore(value)).map(([variable]) => variable);
  expect(stores.length > 0).toBe(name !== pageFunction);
  expect(stores.filter((variable) => !pending.has(variable))).toEqual([]);
});
