type ChecklistProps<Option extends string> = {
  readonly title: string;
  readonly options: readonly Option[];
  readonly checked: readonly Option[];
  readonly change: (checked: Option[]) => void;
};

/** Any number of some words. */
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
