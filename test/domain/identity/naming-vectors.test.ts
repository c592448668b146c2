import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ConnectorKind } from '../../../shared/contract/vocabulary.ts';
import { connectorKinds } from '../../../shared/contract/vocabulary.ts';
import type { Node } from '../../../shared/domain/lineage/graph/node.ts';
import { type Connector, platformOf } from '../../../shared/domain/lineage/names/connector.ts';
import { resolveDatahubUrn } from '../../../shared/domain/lineage/names/datahub-urn.ts';
import { parseNamespace } from '../../../shared/domain/lineage/names/namespace.ts';
import { partsOfRef } from '../../../shared/domain/lineage/names/relation-ref.ts';
import { type NamedDataset, resolveDataset } from '../../../shared/domain/lineage/names/resolve-dataset.ts';
import ownVectors from '../../fixtures/identity/naming-vectors.json' with { type: 'json' };
import { connectorWith } from './connectors.ts';

type Expected = {
  readonly kind: string;
  readonly platform?: string | null;
  readonly instance?: string | null;
  readonly database?: string | null;
  readonly schema?: string | null;
  readonly table?: string;
  readonly path?: string;
  readonly name?: string;
  readonly partial?: boolean;
  readonly env?: string;
};
type DatasetVector = NamedDataset & { readonly expect: Expected; readonly why: string };
type UrnVector = {
  readonly urn: string;
  readonly instances: readonly string[];
  readonly expect: Expected;
  readonly why: string;
};
type Vectors = { readonly openlineage: readonly DatasetVector[]; readonly datahub: readonly UrnVector[] };

const sharedFile = new URL('../../../../shared/openlineage/naming-vectors.json', import.meta.url);

describe('our naming vectors (C-IDENTITY-3, C-DATAHUB-3)', () => check(ownVectors));
describe.skipIf(!existsSync(sharedFile))('the shared naming vectors', () => {
  check(existsSync(sharedFile) ? JSON.parse(readFileSync(sharedFile, 'utf8')) : { openlineage: [], datahub: [] });
});

function check({ openlineage, datahub }: Vectors): void {
  it.each(openlineage.map((one) => [`${one.namespace} ${one.name} ${one.why}`, one] as const))(
    'dataset %s',
    (_, vector) => {
      const { expect: expected, namespace, name } = vector;
      if (expected.kind === 'invalid') return;
      const { node } = resolveDataset(bound(expected), vector);
      if (expected.kind === 'table' && !expected.partial) return expectTable(node, expected, bound(expected));
      if (expected.kind === 'path') {
        return expect(node).toEqual({ kind: 'dataset', namespace: expected.instance, name: expected.path });
      }
      const isTopic = expected.kind === 'topic';
      expect(node).toEqual({ kind: 'dataset', namespace: isTopic ? expected.instance : namespace, name });
      expect(parseNamespace(namespace)).toMatchObject({ platform: expected.platform, instance: expected.instance });
    },
  );

  it.each(openlineage.filter((one) => one.expect.partial).map((one) => [one.name, one] as const))(
    'partial name %s is filled from the defaults of its connector',
    (_, vector) => {
      const connectors = bound(vector.expect, { default_database: 'filled' });
      expectTable(resolveDataset(connectors, vector).node, { ...vector.expect, database: 'filled' }, connectors);
    },
  );

  it.each(datahub.map((one) => [`${one.urn} ${one.why}`, one] as const))(
    'urn %s',
    (_, { urn, instances, expect: expected }) => {
      const kind = kindOf(expected.platform ?? 'other');
      const owner = connectorWith({
        kind,
        namespaces:
          kind === 'other'
            ? [expected.platform === 'glue' ? 'arn:aws:glue:region:1' : `${expected.platform}://host`]
            : [],
        datahub_env: expected.env ?? 'PROD',
        datahub_platform_instances: [...instances],
      });
      const node = resolveDatahubUrn([owner], owner, urn);
      if (expected.kind === 'invalid') return expect(node).toBeNull();
      if (expected.kind === 'unknown') return expect(node).toEqual({ kind: 'datahub', urn });
      expectTable(node, expected, [owner]);
    },
  );
}

/** A connector of the platform that owns the expected instance. */
function bound({ kind, platform, instance }: Expected, more: Partial<Connector> = {}): [Connector] {
  const namespaces = kind === 'table' || (kind === 'unknown' && platform) ? [instance ?? ''] : [];
  return [connectorWith({ kind: kindOf(platform ?? 'other'), namespaces, ...more })];
}

const kinds: Readonly<Record<string, ConnectorKind>> = { mssql: 'sqlserver', hive: 'spark' };
const kindOf = (platform: string): ConnectorKind =>
  kinds[platform] ?? connectorKinds.find((kind) => kind === platform) ?? 'other';

function expectTable(node: Node | null, { database, schema, table }: Expected, [owner]: [Connector]): void {
  expect(node?.kind).toBe('relation');
  const parts = node?.kind === 'relation' ? partsOfRef(platformOf(owner), node.ref) : [];
  expect(parts).toEqual([database, schema, table].filter((part) => typeof part === 'string'));
}
