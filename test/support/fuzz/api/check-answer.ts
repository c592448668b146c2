import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Operation } from './requests.ts';
import type { Schema } from './values.ts';

type AnswerCheck = (operation: Operation, answer: Response, text: string) => string | null;

/** Says what of an answer its API description does not allow: a failure, an undocumented status, another schema. */
export function answerCheck(): AnswerCheck {
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  const compiled = new Map<string, ValidateFunction>();
  const validatorOf = (operation: Operation, status: string, schema: Schema) => {
    const key = `${operation.id} ${status}`;
    const found = compiled.get(key) ?? ajv.compile(schema);
    compiled.set(key, found);
    return found;
  };
  return (operation, answer, text) => {
    const status = String(answer.status);
    if (answer.status >= 500) return `answers ${status}`;
    const documented = operation.responses[status];
    if (!documented) return `answers ${status}, which is not documented`;
    const known = new Set([...ofHttp, ...Object.keys(documented.headers ?? {}).map((name) => name.toLowerCase())]);
    const undescribed = [...answer.headers.keys()].filter((name) => !known.has(name));
    if (undescribed.length > 0) return `answers ${status} with ${undescribed.join(', ')}, which is not documented`;
    const type = mediaTypeOf(answer.headers.get('content-type') ?? '');
    const content =
      documented.content &&
      Object.fromEntries(Object.entries(documented.content).map(([one, media]) => [mediaTypeOf(one), media]));
    if (!content) return text === '' ? null : `answers ${status} with a body, which is not documented`;
    if (!content[type]) return `answers ${status} as ${type}, which is not documented`;
    const { schema } = content[type];
    if (!schema || type !== 'application/json') return null;
    const validate = validatorOf(operation, status, schema);
    return validate(JSON.parse(text))
      ? null
      : `answers ${status} by another schema: ${ajv.errorsText(validate.errors)}`;
  };
}

/** What any server of HTTP adds. */
const ofHttp = ['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'];

/** Without its parameters. */
const mediaTypeOf = (text: string): string => (text.split(';', 1)[0] ?? '').trim().toLowerCase();
