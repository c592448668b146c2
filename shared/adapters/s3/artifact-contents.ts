import type { WorkspaceId } from '../../contract/ids.ts';
import { Fault } from '../../contract/problems.ts';
import type { ContentStore } from '../../domain/agents/artifacts/artifact.ts';
import { type Bucket, getObject, putObject } from './bucket.ts';

export const artifactContents = (bucket: Bucket): ContentStore => ({
  put: (workspace, digest, content) =>
    putObject(bucket, contentKey(workspace, digest), Buffer.from(content), { type: 'text/plain; charset=utf-8' }),
  get: async (workspace, digest) => {
    const bytes = await getObject(bucket, contentKey(workspace, digest));
    if (bytes === null) throw new Fault('artifact_content_missing', 'a stored content is not there');
    return Buffer.from(bytes).toString('utf8');
  },
});

const contentKey = (workspace: WorkspaceId, digest: string): string => `artifacts/${workspace}/${digest}`;
