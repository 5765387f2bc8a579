/** A bin, drawn as the other icons of the console are; of this tool alone, so it comes with its screen. */
export function DeleteIcon() {
  return (
    <svg
      width={20}
      height={20}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d="M4.75 7h14.5M9.25 7V4.75h5.5V7M6.75 7l.75 12.25h9L17.25 7M10.25 10.5v5.5M13.75 10.5v5.5" />
    </svg>
  );
}
