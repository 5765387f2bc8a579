/** Saves what an address answers as a file, as the browser does with a link to it that is pressed. */
export function saveFile(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  document.body.append(link);
  link.click();
  link.remove();
}
