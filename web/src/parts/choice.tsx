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
