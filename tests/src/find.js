// The elements of a role and name, as the browser itself computes both for assistive technology.
// An exact name wins over a name that only contains the wanted one; what cannot be seen does not count.
const [role, name] = arguments;
const likely = {
  article: "article", button: "button, summary, input[type=file]", checkbox: "input[type=checkbox]",
  combobox: "select, input", heading: "h1, h2, h3, h4", link: "a[href]", progressbar: "progress",
  radio: "input[type=radio]", row: "tr", searchbox: "input[type=search]", textbox: "input, textarea",
};
const candidates = document.querySelectorAll(`${likely[role] ?? role}, [role=${role}]`);
// Computing a name is slow, so what cannot have it is left out first.
const bare = (text) => text.replace(/\s+/g, "");
const mayBeNamed = (element) => element.hasAttribute("aria-labelledby") || bare([
  element.textContent, element.ariaLabel, element.title, element.placeholder,
  ...[...(element.labels ?? [])].map((label) => label.textContent),
].join(" ")).includes(bare(name));
const named = (element) => element.computedName.replace(/\s+/g, " ").trim();
const seen = [...candidates].filter((element) =>
  mayBeNamed(element) && element.checkVisibility({ visibilityProperty: true }) && element.computedRole === role);
const exact = seen.filter((element) => named(element) === name);
return exact.length ? exact : seen.filter((element) => named(element).includes(name));
