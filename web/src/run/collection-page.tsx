import { PageHead } from '../parts/page-head.tsx';
import { Snippet } from '../parts/snippet.tsx';
import { apiAddress } from '../settings.ts';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';

const page = (address: string): string => `<script type="module">
  import posthog from 'posthog-js';
  import { posthogJsOptions } from 'tributary-posthog';

  posthog.init('<PROJECT_KEY>', posthogJsOptions('${address}'));
  posthog.capture('Order Placed', { total: 42 });
</script>`;

const batch = (address: string): string => `curl -s ${address}/collect/v1/batch \\
  -H 'content-type: application/json' \\
  -d '{"project_key":"<PROJECT_KEY>","events":[{"id":"order-1","type":"track","event":"Order Placed",
       "user_id":"user-1","timestamp":"${new Date().toISOString()}"}]}'`;

const commands = (workspace: string): string =>
  [
    `tributary admin projects create ${workspace} web --environment production --origin https://shop.example`,
    `tributary admin project-keys create ${workspace} web browser --environment production`,
    `tributary admin projects list ${workspace}`,
  ].join('\n');

/** How events get here. Projects and keys are the operator's: the API tells nobody of them. */
export function CollectionPage() {
  const workspace = useWorkspace();
  return (
    <div className="stack">
      <PageHead title={texts.collection.title} lead={texts.collection.lead} />
      <section className="card">
        <h2>{texts.collection.projects}</h2>
        <p>{texts.collection.projectsHow}</p>
        <Snippet label={texts.collection.projects} text={commands(workspace?.name ?? '')} />
      </section>
      <div className="two">
        <section className="card">
          <h2>{texts.collection.snippet}</h2>
          <Snippet label={texts.collection.snippet} text={page(apiAddress)} />
        </section>
        <section className="card">
          <h2>{texts.collection.batch}</h2>
          <Snippet label={texts.collection.batch} text={batch(apiAddress)} />
        </section>
      </div>
      <p className="dim">{texts.collection.stored}</p>
    </div>
  );
}
