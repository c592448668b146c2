import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import { Fault } from '../../../contract/problems.ts';
import { memoised } from '../../base/caching.ts';
import { sha256 } from '../../base/digest.ts';

export type Node =
  /** A table or view that a connector owns; `ref` is its canonical `relation_ref` (C-IDENTITY-1). */
  | { readonly kind: 'relation'; readonly connectorId: ConnectorId; readonly ref: string }
  | { readonly kind: 'dataset'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'datahub'; readonly urn: string }
  /** dbt's ephemeral models, if a source names one and shows no text to look through it. */
  | { readonly kind: 'inlined'; readonly namespace: string; readonly name: string }
  /** A consumer that is no relation, such as a dbt exposure. */
  | { readonly kind: 'exposure'; readonly connectorId: ConnectorId; readonly name: string };

export type Urn = string & { readonly __brand: 'Urn' };

/** The URN of a node: a function only of the node, so that two sources that mean one relation write one vertex. */
export function urnOf(node: Node): Urn {
  switch (node.kind) {
    case 'relation':
      return `relation:${node.connectorId}:${node.ref}` as Urn;
    case 'inlined':
      return `inlined:${encodeURIComponent(node.namespace)}:${node.name}` as Urn;
    case 'dataset':
      return `dataset:${encodeURIComponent(node.namespace)}:${node.name}` as Urn;
    case 'datahub':
      return `datahub:${node.urn}` as Urn;
    case 'exposure':
      return `exposure:${node.connectorId}:${node.name}` as Urn;
  }
}

/** The node of a URN that `urnOf` made. Each edge of an answer names its ends many times over. */
export const nodeOf: (urn: Urn) => Node = memoised(25_000, parse);

function parse(urn: Urn): Node {
  const [, kind, rest] = /^([a-z]+):(.*)$/s.exec(urn) ?? [];
  if (kind === 'datahub' && rest !== undefined) return { kind, urn: rest };
  const [, first, last] = /^([^:]*):(.*)$/s.exec(rest ?? '') ?? [];
  if (first === undefined || last === undefined) throw new Fault('node_urn', 'not a node URN');
  if (kind === 'relation') return { kind, connectorId: first as ConnectorId, ref: last };
  if (kind === 'exposure') return { kind, connectorId: first as ConnectorId, name: last };
  if (kind === 'dataset' || kind === 'inlined') return { kind, namespace: decodeURIComponent(first), name: last };
  throw new Fault('node_urn_kind', 'not a node URN');
}

const undeclaredPrefix = 'undeclared read by ';

/**
 * A consumer in place of a model that reads a relation without depending on it: an edge to the model itself would be a guess, but
 * an answer about the relation must name the model (C-DECLARED-19).
 */
export const undeclaredReader = (connectorId: ConnectorId, model: string): Node => ({
  kind: 'exposure',
  connectorId,
  name: `${undeclaredPrefix}${model}`,
});

export const isUndeclaredReader = (urn: Urn): boolean => {
  const node = nodeOf(urn);
  return node.kind === 'exposure' && node.name.startsWith(undeclaredPrefix);
};

/** Whether a node is an ephemeral model of dbt that a source names. */
export const isInlined = (urn: Urn): boolean => nodeOf(urn).kind === 'inlined';

/** The connector that owns a node; null if none does. */
export const ownerOf = (node: Node): ConnectorId | null => ('connectorId' in node ? node.connectorId : null);

export function relationRefOf(node: Node): string {
  switch (node.kind) {
    case 'relation':
      return node.ref;
    case 'dataset':
    case 'inlined':
      return `${node.namespace}/${node.name}`;
    case 'datahub':
      return node.urn;
    case 'exposure':
      return node.name;
  }
}

export const refOf = (urn: Urn): string => relationRefOf(nodeOf(urn));

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** RFC 4648 base32, lower case, without padding, cut to `length` characters. */
function base32(bytes: Uint8Array, length: number): string {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5 && text.length < length) {
      text += alphabet[(buffer >> (bits - 5)) & 31];
      bits -= 5;
    }
    buffer &= (1 << bits) - 1;
  }
  return text;
}

const digest = (text: string, length: number) => base32(sha256(text), length);

export const nodeIdLength = 20;
export const scopeIdLength = 16;
export const shardCount = 64;

/** One generation of a workspace's graph, as the stores of the graph name it (ADR 5). */
export type GraphId = string & { readonly __brand: 'GraphId' };

/** The only maker of these ids. Ids of workspaces hold no `~`, so no generation has the id of another workspace. */
export const graphOf = (workspace: WorkspaceId, generation: number): GraphId =>
  (generation === 0 ? `${workspace}` : `${workspace}~${generation}`) as GraphId;

/** 100 bits of the SHA-256 of a node's URN: fixed width, so that no key is a prefix of another. */
export type NodeId = string & { readonly __brand: 'NodeId' };
export const nodeId: (urn: Urn) => NodeId = memoised(25_000, (urn) => digest(urn, nodeIdLength) as NodeId);

/** 80 bits of the SHA-256 of a scope key. */
export type ScopeId = string & { readonly __brand: 'ScopeId' };
export const scopeId = (scopeKey: string): ScopeId => digest(scopeKey, scopeIdLength) as ScopeId;

/** The first six bits of a node id: which of the 64 shards keeps its pages. */
export function shardOf(node: NodeId): number {
  return alphabet.indexOf(node.charAt(0)) * 2 + (alphabet.indexOf(node.charAt(1)) >> 4);
}

/** A short content digest, for what must differ when the content differs. */
export const contentDigest = (text: string): string => digest(text, 16);
