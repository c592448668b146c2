import type { PolicyDraft } from '../api/run-queries.ts';
import { texts } from '../texts.ts';

type Weights = PolicyDraft['fusion_weights'];
type PolicyWeightsProps = { readonly weights: Weights; readonly change: (weights: Weights) => void };

const sources = ['declared', 'openlineage', 'catalog', 'query_log'] as const satisfies readonly (keyof Weights)[];

/** How much one piece of evidence weighs, by what kind of source says so. */
export const PolicyWeights = ({ weights, change }: PolicyWeightsProps) => (
  <fieldset className="field-row">
    <legend>{texts.policy.weights}</legend>
    {sources.map((source) => (
      <label key={source}>
        {texts.policy.weightOf[source]}
        <input
          type="number"
          required
          min={0}
          max={1}
          step="any"
          value={Number.isNaN(weights[source]) ? '' : weights[source]}
          onChange={({ target }) => change({ ...weights, [source]: target.valueAsNumber })}
        />
      </label>
    ))}
  </fieldset>
);
