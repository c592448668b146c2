import { Fault } from '../../shared/contract/fault.ts';
import { awsEnvironment } from '../aws-environment.ts';
import type { Identities } from './identities.ts';
import type { TemplateValue } from './template.ts';

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::Region': awsEnvironment.region,
  'AWS::AccountId': awsEnvironment.account,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::StackName': 'local',
};

/**
 * Answers the intrinsic functions inside a template's value.
 * @throws on an unknown function or resource: a wrong guess would wire something else than what is deployed.
 */
export function resolve(identities: Identities, value: TemplateValue): TemplateValue {
  if (Array.isArray(value)) return value.map((item) => resolve(identities, item));
  if (!isObject(value)) return value;
  const [first, ...others] = Object.entries(value);
  if (first && others.length === 0 && (first[0] === 'Ref' || first[0].startsWith('Fn::')))
    return answer(identities, first[0], first[1]);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => !isNoValue(item))
      .map(([key, item]) => [key, resolve(identities, item)]),
  );
}

function answer(identities: Identities, name: string, argument: TemplateValue): TemplateValue {
  switch (name) {
    case 'Ref':
      return reference(identities, text(argument));
    case 'Fn::GetAtt':
      return attribute(identities, argument);
    case 'Fn::Join': {
      const [separator, parts] = list(argument);
      return list(resolve(identities, parts ?? []))
        .map(text)
        .join(text(separator));
    }
    case 'Fn::Sub':
      return substitute(identities, argument);
    case 'Fn::Select': {
      const [index, items] = list(argument);
      return list(resolve(identities, items ?? []))[Number(index)] ?? '';
    }
    case 'Fn::Split': {
      const [separator, whole] = list(argument);
      return text(resolve(identities, whole ?? '')).split(text(separator));
    }
    default:
      throw new Fault('intrinsic_function', `The local service knows no intrinsic function ${name}.`);
  }
}

function reference(identities: Identities, id: string): string {
  const found = pseudoParameters[id] ?? identities.get(id)?.ref;
  if (found === undefined) throw new Fault('template_reference', `The template refers to ${id}, which is not in it.`);
  return found;
}

function attribute(identities: Identities, argument: TemplateValue): string {
  const [id = '', name = ''] = typeof argument === 'string' ? argument.split('.') : list(argument).map(text);
  const found = identities.get(id)?.attributes[name];
  if (found === undefined)
    throw new Fault('template_attribute', `The local service knows no attribute ${name} of ${id}.`);
  return found;
}

function substitute(identities: Identities, argument: TemplateValue): string {
  const [pattern, variables] = Array.isArray(argument) ? argument : [argument, {}];
  return text(pattern).replace(/\$\{([^!}{]+)\}/g, (_, name: string) => {
    const variable = isObject(variables ?? null) ? Object(variables)[name] : undefined;
    if (variable !== undefined) return text(resolve(identities, variable));
    return name.includes('.') ? attribute(identities, name) : reference(identities, name);
  });
}

const isObject = (value: TemplateValue): value is { readonly [key: string]: TemplateValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNoValue = (value: TemplateValue): boolean => isObject(value) && value['Ref'] === 'AWS::NoValue';

function text(value: TemplateValue | undefined): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new Fault('template_text', 'An intrinsic function of the template takes a text here.');
}

function list(value: TemplateValue): readonly TemplateValue[] {
  if (Array.isArray(value)) return value;
  throw new Fault('template_list', 'An intrinsic function of the template takes a list here.');
}
