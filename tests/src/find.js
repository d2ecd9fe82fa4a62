// The elements of a role and name, as the browser itself computes both for assistive technology.
// An exact name wins over a name that only contains the wanted one; what cannot be seen does not count.
const [role, name] = arguments;
const candidates = document.querySelectorAll(
  `a, button, input, textarea, select, option, summary, details, fieldset, h1, h2, h3, h4, section, article, nav, main,
   header, footer, aside, form, search, dialog, table, tr, td, th, ul, ol, li, output, progress, img, pre, code,
   [role], [aria-label], [aria-labelledby]`);
const seen = [...candidates].filter((element) =>
  element.computedRole === role && element.checkVisibility({ visibilityProperty: true }));
const named = (element) => element.computedName.replace(/\s+/g, " ").trim();
const exact = seen.filter((element) => named(element) === name);
return exact.length ? exact : seen.filter((element) => named(element).includes(name));
