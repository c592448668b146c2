import type { Policy } from '../api/queries.ts';
import { Choice } from '../parts/choice.tsx';
import { splitList } from '../parts/split-list.ts';
import { texts } from '../texts.ts';

type Rule = Policy['filters']['provider_rules'][number];
type PolicyRulesProps = { readonly rules: readonly Rule[]; readonly change: (rules: Rule[]) => void };

/** Which evidence counts by the type of its provider and by its engine. */
export const PolicyRules = ({ rules, change }: PolicyRulesProps) => (
  <fieldset className="stack">
    <legend>{texts.policy.providerRules}</legend>
    {rules.map((rule, index) => (
      <RuleFields
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name, and are changed in place.
        key={index}
        rule={rule}
        replace={(next) => change(rules.with(index, next))}
        remove={() => change(rules.toSpliced(index, 1))}
      />
    ))}
    <button type="button" onClick={() => change([...rules, { provider_type: '', action: 'exclude' }])}>
      {texts.policy.addRule}
    </button>
  </fieldset>
);

type RuleFieldsProps = {
  readonly rule: Rule;
  readonly replace: (rule: Rule) => void;
  readonly remove: () => void;
};

const actions = { exclude: 'exclude', include: 'include' };

const RuleFields = ({ rule, replace, remove }: RuleFieldsProps) => (
  <div className="field-row">
    <label>
      {texts.policy.ruleType}
      <input
        type="text"
        required
        value={rule.provider_type}
        onChange={({ target }) => replace({ ...rule, provider_type: target.value })}
      />
    </label>
    <Choice
      label={texts.policy.ruleAction}
      value={rule.action}
      options={actions}
      choose={(action) => replace(withAction(rule, action))}
    />
    <label>
      {texts.policy.ruleEngines}
      <input
        type="text"
        defaultValue={(rule.engines ?? []).join(', ')}
        onChange={({ target }) => replace(withEngines(rule, splitList(target.value, ',')))}
      />
    </label>
    <button type="button" onClick={remove}>
      {texts.policy.removeRule}
    </button>
  </div>
);

/** A rule that excludes has no schema scope. */
function withAction(rule: Rule, action: Rule['action']): Rule {
  if (action === 'include') return { ...rule, action };
  const { schema_scope: _, ...others } = { schema_scope: undefined, ...rule };
  return { ...others, action };
}

/** A rule without engines is one for all of them. */
function withEngines({ engines: _, ...rule }: Rule, engines: string[]): Rule {
  return engines.length > 0 ? { ...rule, engines } : rule;
}
