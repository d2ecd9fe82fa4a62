import unittest

from table_writer import TableWriter


def cities():
    table = TableWriter(["city", "size"])
    table.add_row(city="Oslo", size=709)
    table.add_row(city="Bergen", size=1000)
    table.add_row(city="Moss")
    table.add_row(city="Alta", size=21)
    return table


class TableWriterTestAddRow(unittest.TestCase):
    def test_count(self):
        table = TableWriter(["a"])
        self.assertEqual(table.add_row(a="x"), 1)
        self.assertEqual(table.add_row(a="y"), 2)

    def test_order_of_the_header(self):
        table = TableWriter(["a", "b"])
        table.add_row(b="2", a="1")
        self.assertEqual(table.rows, [["1", "2"]])

    def test_not_mentioned(self):
        table = TableWriter(["a", "b"])
        table.add_row(b="2")
        self.assertEqual(table.rows, [["", "2"]])

    def test_numbers_become_text(self):
        table = TableWriter(["a", "b"])
        table.add_row(a=0, b=1.5)
        self.assertEqual(table.rows, [["0", "1.5"]])

    def test_unknown_column(self):
        table = TableWriter(["a"])
        with self.assertRaises(ValueError):
            table.add_row(a="x", c="y")
        self.assertEqual(table.rows, [])


class TableWriterTestToText(unittest.TestCase):
    def test_no_rows(self):
        self.assertEqual(TableWriter(["a", "b"]).to_text(), "a;b\n")

    def test_rows(self):
        table = TableWriter(["a", "b"])
        table.add_row(a="1", b="x y")
        table.add_row(b="2,5")
        self.assertEqual(table.to_text(), "a;b\n1;x y\n;2,5\n")

    def test_quotes(self):
        table = TableWriter(["a", "b"])
        table.add_row(a="1;2", b='so "big"')
        self.assertEqual(table.to_text(), 'a;b\n"1;2";"so ""big"""\n')

    def test_line_break_in_a_cell(self):
        table = TableWriter(["a", "b"])
        table.add_row(a="one\ntwo", b="x")
        self.assertEqual(table.to_text(), 'a;b\n"one\ntwo";x\n')


class TableWriterTestReadText(unittest.TestCase):
    def read(self, header, text):
        table = TableWriter(header)
        try:
            count = table.read_text(text)
        except ValueError:
            self.fail("the header should match")
        self.assertEqual(count, len(table.rows))
        return table.rows

    def test_one_column(self):
        self.assertEqual(self.read(["a"], "a\nx\ny\n"), [["x"], ["y"]])

    def test_two_columns(self):
        self.assertEqual(self.read(["a", "b"], "a;b\n1;2,5\n"), [["1", "2,5"]])

    def test_own_text(self):
        table = cities()
        table.add_row(city='a;b "c"\nd', size="1,5")
        self.assertEqual(self.read(["city", "size"], table.to_text()), table.rows)

    def test_short_and_empty_lines(self):
        self.assertEqual(self.read(["a", "b"], "a;b\n\n1\n2;3\n\n"), [["1", ""], ["2", "3"]])

    def test_other_header(self):
        for text in ("", "a;c\n1;2\n", "a,b\n1,2\n"):
            table = TableWriter(["a", "b"])
            with self.assertRaises(ValueError):
                table.read_text(text)
            self.assertEqual(table.rows, [])

    def test_rows_are_added(self):
        table = cities()
        self.assertEqual(table.read_text("city;size\nHell;2\n"), 1)
        self.assertEqual(len(table.rows), 5)


class TableWriterTestWidths(unittest.TestCase):
    def test_names(self):
        self.assertEqual(TableWriter(["country", "long name"]).widths(), [7, 9])

    def test_at_least_three(self):
        self.assertEqual(TableWriter(["", "a", "abc"]).widths(), [3, 3, 3])

    def test_contents(self):
        self.assertEqual(cities().widths(), [6, 4])

    def test_as_shown(self):
        table = TableWriter(["a"])
        table.add_row(a="x|y|z")
        self.assertEqual(table.widths(), [7])


class TableWriterTestToMarkdown(unittest.TestCase):
    def test_no_rows(self):
        expected = "| a   | long |\n| --- | ---- |\n"
        self.assertEqual(TableWriter(["a", "long"]).to_markdown(), expected)

    def test_rows(self):
        table = TableWriter(["city", "size"])
        table.add_row(city="Bergen", size=1)
        expected = "| city   | size |\n| ------ | ---- |\n| Bergen | 1    |\n"
        self.assertEqual(table.to_markdown(), expected)

    def test_bar_in_a_cell(self):
        table = TableWriter(["abc"])
        table.add_row(abc="x|y")
        self.assertEqual(table.to_markdown().splitlines()[2], "| x\\|y |")

    def test_line_break_in_a_cell(self):
        table = TableWriter(["abc"])
        table.add_row(abc="x\ny")
        self.assertEqual(table.to_markdown(), "| abc    |\n| ------ |\n| x<br>y |\n")

    def test_empty_cell(self):
        table = TableWriter(["a", "b"])
        table.add_row(b="1")
        self.assertEqual(table.to_markdown().splitlines()[2], "|     | 1   |")


class TableWriterTestSortBy(unittest.TestCase):
    def test_text(self):
        self.assertEqual(cities().sort_by("city"), ["Alta", "Bergen", "Moss", "Oslo"])

    def test_numbers(self):
        self.assertEqual(cities().sort_by("size", numeric=True), ["21", "709", "1000", ""])

    def test_digits_as_text(self):
        self.assertEqual(cities().sort_by("size"), ["1000", "21", "709", ""])

    def test_whole_rows_move(self):
        table = cities()
        table.sort_by("size", numeric=True)
        self.assertEqual([row[0] for row in table.rows], ["Alta", "Oslo", "Bergen", "Moss"])

    def test_equal_contents_stay(self):
        table = TableWriter(["a", "b"])
        for a, b in (("2", "x"), ("1", "y"), ("2", "a"), ("", "q"), ("", "p")):
            table.add_row(a=a, b=b)
        table.sort_by("a")
        self.assertEqual([row[1] for row in table.rows], ["y", "x", "a", "q", "p"])

    def test_unknown_column(self):
        with self.assertRaises(ValueError):
            cities().sort_by("river")


class TableWriterTest(unittest.TestCase):
    def test_from_spreadsheet_to_notes(self):
        table = TableWriter(["name", "points"])
        table.read_text('name;points\n"Ann; Bo";7\nCy;12\n')
        table.sort_by("points", numeric=True)
        self.assertEqual(
            table.to_markdown().splitlines()[2:],
            ["| Ann; Bo | 7      |", "| Cy      | 12     |"],
        )


if __name__ == "__main__":
    unittest.main()
