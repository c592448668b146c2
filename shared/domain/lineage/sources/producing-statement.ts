import type { ProducingStatement } from '../graph/derivation.ts';
import { contentDigest } from '../graph/node.ts';
import { splitName } from '../names/relation-ref.ts';

/** The statement of a dbt node, by its `unique_id`; null for nodes that make no relation. */
export function dbtStatement(uniqueId: string, text: string | null): ProducingStatement | null {
  const [type = '', ...name] = uniqueId.split('.');
  return makingTypes.has(type) && name.length > 1 ? statementOf(`dbt:${name.join('.')}`, text) : null;
}

const makingTypes: ReadonlySet<string> = new Set(['model', 'seed', 'snapshot']);

export function sqlmeshStatement(fqn: string, text: string | null): ProducingStatement | null {
  const parts = splitName(fqn)?.map((part) => part.text.toLowerCase());
  return parts ? statementOf(`sqlmesh:${parts.join('.')}`, text) : null;
}

/** Tools lay the same text out differently, so that spaces are no part of its version. */
function statementOf(model: string, text: string | null): ProducingStatement {
  const words = (text ?? '').split(/\s/).filter((word) => word !== '');
  return words.length === 0 ? { model } : { model, version: contentDigest(words.join(' ')) };
}
