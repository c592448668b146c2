import type { ComponentProps } from 'react';

type TextFieldProps = ComponentProps<'input'> & { readonly label: string };

/** A line of text in a form. */
export const TextField = ({ label, className, ...input }: TextFieldProps) => (
  <label className={className}>
    {label}
    <input type="text" autoComplete="off" {...input} />
  </label>
);

type OptionFieldProps = ComponentProps<'select'> & {
  readonly label: string;
  readonly name: string;
  readonly options: readonly string[];
};

/** One of some words in a form, read by its name; the first, unless another is the default. */
export const OptionField = ({ label, options, className, ...select }: OptionFieldProps) => (
  <label className={className}>
    {label}
    <select {...select}>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </select>
  </label>
);

/** What a text field proposes, whose `list` is the id. */
export const Suggestions = ({ id, values }: { readonly id: string; readonly values: Iterable<string> }) => (
  <datalist id={id}>
    {[...values].map((value) => (
      <option key={value} value={value} />
    ))}
  </datalist>
);

type ChoiceProps<Value extends string> = {
  readonly label: string;
  readonly value: Value;
  /** What each value is called, in the order of the list. */
  readonly options: Readonly<Record<Value, string>>;
  readonly choose: (value: Value) => void;
  readonly className?: string;
};

/** One of some values, which acts as soon as it is chosen. */
export function Choice<Value extends string>({ label, value, options, choose, className }: ChoiceProps<Value>) {
  const values = Object.keys(options) as Value[];
  return (
    <label className={className}>
      {label}
      <select value={value} onChange={({ target }) => choose(values.find((one) => one === target.value) ?? value)}>
        {values.map((one) => (
          <option key={one} value={one}>
            {options[one]}
          </option>
        ))}
      </select>
    </label>
  );
}

type ChecklistProps<Option extends string> = {
  readonly title: string;
  readonly options: readonly Option[];
  readonly checked: readonly Option[];
  readonly change: (checked: Option[]) => void;
};

export const Checklist = <Option extends string>({ title, options, checked, change }: ChecklistProps<Option>) => (
  <fieldset className="field-row">
    <legend>{title}</legend>
    {options.map((option) => (
      <label key={option} className="check">
        <input
          type="checkbox"
          checked={checked.includes(option)}
          onChange={({ target }) =>
            change(target.checked ? [...checked, option] : checked.filter((one) => one !== option))
          }
        />
        {option.replaceAll('_', ' ')}
      </label>
    ))}
  </fieldset>
);
