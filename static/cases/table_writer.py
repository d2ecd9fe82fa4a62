import csv
import io


class TableWriter:
    """A table with a header that can be exchanged with spreadsheets and shown in notes."""

    DELIMITER = ";"

    def __init__(self, header):
        """Start a table without rows.

        :param header: list of str, the names of the columns
        """
        self.header = list(header)
        self.rows = []

    def add_row(self, **cells):
        """Add a row. Columns that are not mentioned stay empty in it.

        :param cells: str or number, the contents by the name of the column
        :return: int, the number of rows now; ValueError for an unknown column

        >>> TableWriter(["city", "country"]).add_row(city="Oslo", country="Norway")
        1
        """
        unknown = sorted(set(cells) - set(self.header))
        if unknown:
            raise ValueError("no such column: " + ", ".join(unknown))
        self.rows.append([str(cells.get(name, "")) for name in self.header])
        return len(self.rows)

    def to_text(self):
        """Write the table as text for a spreadsheet, the header first, a line for a row.

        :return: str, the text

        >>> table = TableWriter(["city"])
        >>> table.add_row(city="Oslo")
        1
        >>> table.to_text()
        'city\\nOslo\\n'
        """
        buffer = io.StringIO()
        writer = csv.writer(buffer, delimiter=self.DELIMITER, lineterminator="\n")
        writer.writerow(self.header)
        for row in self.rows:
            writer.writerow(row)
        return buffer.getvalue()

    def read_text(self, text):
        """Add the rows of a table that comes from a spreadsheet. Empty lines do not count.

        :param text: str, the text of the other table, which has the same header
        :return: int, the number of rows added; ValueError if the header is another one

        >>> TableWriter(["city"]).read_text("city\\nOslo\\nBergen\\n")
        2
        """
        lines = csv.reader(io.StringIO(text), delimiter=self.DELIMITER)
        rows = [row for row in lines if row]
        if not rows or rows[0] != self.header:
            raise ValueError("the header does not match")
        for row in rows[1:]:
            missing = len(self.header) - len(row)
            self.rows.append(row + [""] * missing)
        return len(rows) - 1

    def widths(self):
        """Measure how wide each column must be for its name and all its contents.

        :return: list of int, the widths in characters, at least 3 each

        >>> TableWriter(["id", "country"]).widths()
        [3, 7]
        """
        result = []
        for index, name in enumerate(self.header):
            widest = max(3, len(self._escape(name)))
            for row in self.rows:
                widest = max(widest, len(self._escape(row[index])))
            result.append(widest)
        return result

    def _escape(self, cell):
        return cell.replace("|", "\\|").replace("\n", "<br>")

    def to_markdown(self):
        """Write the table for notes in Markdown, with all columns neatly below each other.

        :return: str, the lines of the table, each one ended by a line break

        >>> table = TableWriter(["city"])
        >>> table.add_row(city="Oslo")
        1
        >>> print(table.to_markdown(), end="")
        | city |
        | ---- |
        | Oslo |
        """
        widths = self.widths()
        lines = [self.header, ["-" * width for width in widths]] + self.rows
        text = ""
        for line in lines:
            cells = []
            for cell, width in zip(line, widths):
                cells.append(self._escape(cell).ljust(width))
            text += "| " + " | ".join(cells) + " |\n"
        return text

    def sort_by(self, name, numeric=False):
        """Put the rows in the order of one column. Rows that are empty there come last, and
        rows with equal contents stay as they were.

        :param name: str, the name of the column
        :param numeric: bool, True if the column holds numbers
        :return: list of str, the contents of the column in the new order

        >>> table = TableWriter(["city"])
        >>> table.read_text("city\\nOslo\\nBergen\\n")
        2
        >>> table.sort_by("city")
        ['Bergen', 'Oslo']
        """
        column = self.header.index(name)
        empty = [row for row in self.rows if row[column] == ""]
        filled = [row for row in self.rows if row[column] != ""]
        if numeric:
            filled.sort(key=lambda row: float(row[column]))
        else:
            filled.sort(key=lambda row: row[column])
        self.rows = filled + empty
        return [row[column] for row in self.rows]
