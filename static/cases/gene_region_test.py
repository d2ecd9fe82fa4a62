import unittest

from gene_region import GeneRegion


def gff(start, end, strand, name):
    return f"chr1\t.\tregion\t{start}\t{end}\t.\t{strand}\t.\t{name}\n"


def region_of(sequence, *features):
    region = GeneRegion(sequence)
    for feature in features:
        region.add_line(gff(*feature))
    return region


class GeneRegionTestReverseComplement(unittest.TestCase):
    def test_letters(self):
        self.assertEqual(GeneRegion.reverse_complement("ATTGC"), "GCAAT")

    def test_empty(self):
        self.assertEqual(GeneRegion.reverse_complement(""), "")

    def test_palindrome(self):
        self.assertEqual(GeneRegion.reverse_complement("GAATTC"), "GAATTC")

    def test_twice(self):
        twice = GeneRegion.reverse_complement(GeneRegion.reverse_complement("ACCGTTT"))
        self.assertEqual(twice, "ACCGTTT")

    def test_unknown_letter(self):
        self.assertEqual(GeneRegion.reverse_complement("ANC"), "GNT")


class GeneRegionTestAddLine(unittest.TestCase):
    def test_feature(self):
        region = GeneRegion("ACGTACGT")
        self.assertEqual(region.add_line(gff(2, 5, "-", "x")), "x")
        self.assertEqual(region.features, {"x": (2, 5, "-")})

    def test_no_feature(self):
        region = GeneRegion("ACGT")
        for line in ("", "\n", "##gff-version 3\n"):
            self.assertIsNone(region.add_line(line))
        self.assertEqual(region.features, {})

    def test_whole_dna(self):
        self.assertEqual(GeneRegion("ACGT").add_line(gff(1, 4, "+", "all")), "all")

    def test_one_letter(self):
        self.assertEqual(GeneRegion("ACGT").add_line(gff(4, 4, "+", "last")), "last")

    def test_not_on_the_dna(self):
        region = GeneRegion("ACGT")
        for start, end in ((0, 2), (3, 5), (3, 2)):
            with self.assertRaises(ValueError):
                region.add_line(gff(start, end, "+", "x"))
        self.assertEqual(region.features, {})


class GeneRegionTestMark(unittest.TestCase):
    def test_position(self):
        region = GeneRegion("GGATCCGG")
        self.assertIs(region.mark("site", "GATC"), True)
        self.assertEqual(region.features["site"], (2, 5, "+"))

    def test_at_the_beginning(self):
        region = GeneRegion("ggatcc")
        self.assertTrue(region.mark("start", "gga", "-"))
        self.assertEqual(region.features["start"], (1, 3, "-"))

    def test_first_of_several(self):
        region = GeneRegion("TTACTAC")
        region.mark("site", "TAC")
        self.assertEqual(region.features["site"], (2, 4, "+"))

    def test_not_found(self):
        region = GeneRegion("ACGT")
        self.assertIs(region.mark("site", "GG"), False)
        self.assertEqual(region.features, {})


class GeneRegionTestLettersOf(unittest.TestCase):
    def test_forward(self):
        region = region_of("AACCGGTT", (2, 5, "+", "x"))
        self.assertEqual(region.letters_of("x"), "ACCG")

    def test_other_strand(self):
        region = region_of("AACCGGTT", (2, 5, "-", "x"))
        self.assertEqual(region.letters_of("x"), "CGGT")

    def test_first_letter(self):
        region = region_of("GATTACA", (1, 1, "+", "x"), (1, 7, "+", "all"))
        self.assertEqual(region.letters_of("x"), "G")
        self.assertEqual(region.letters_of("all"), "GATTACA")

    def test_marked(self):
        region = GeneRegion("CCGATCAA")
        region.mark("site", "GATCAA")
        self.assertEqual(region.letters_of("site"), "GATCAA")

    def test_unknown(self):
        with self.assertRaises(KeyError):
            GeneRegion("ACGT").letters_of("x")


class GeneRegionTestOverlap(unittest.TestCase):
    def overlap(self, one, other):
        region = region_of("A" * 20, (*one, "+", "one"), (*other, "-", "other"))
        self.assertEqual(region.overlap("one", "other"), region.overlap("other", "one"))
        return region.overlap("one", "other")

    def test_partly(self):
        self.assertEqual(self.overlap((1, 10), (6, 15)), 5)

    def test_one_letter(self):
        self.assertEqual(self.overlap((1, 10), (10, 15)), 1)

    def test_next_to_each_other(self):
        self.assertEqual(self.overlap((1, 10), (11, 15)), 0)

    def test_far_apart(self):
        self.assertEqual(self.overlap((1, 3), (11, 15)), 0)

    def test_inside(self):
        self.assertEqual(self.overlap((1, 20), (4, 6)), 3)
        self.assertEqual(self.overlap((2, 2), (2, 2)), 1)


class GeneRegionTestCodingPart(unittest.TestCase):
    def test_up_to_stop(self):
        region = region_of("ATGGCATGACCC", (1, 12, "+", "x"))
        self.assertEqual(region.coding_part("x"), ["ATG", "GCA"])

    def test_no_stop(self):
        region = region_of("ATGGCA", (1, 6, "+", "x"))
        self.assertEqual(region.coding_part("x"), ["ATG", "GCA"])

    def test_letters_left_over(self):
        region = region_of("ATGGCATA", (1, 8, "+", "x"), (1, 2, "+", "short"))
        self.assertEqual(region.coding_part("x"), ["ATG", "GCA"])
        self.assertEqual(region.coding_part("short"), [])

    def test_stop_out_of_step(self):
        region = region_of("ATTAAGTAG", (1, 9, "+", "x"), (2, 9, "+", "y"))
        self.assertEqual(region.coding_part("x"), ["ATT", "AAG"])
        self.assertEqual(region.coding_part("y"), ["TTA", "AGT"])

    def test_other_strand(self):
        region = region_of("TTACCCCAT", (1, 9, "-", "x"))
        self.assertEqual(region.coding_part("x"), ["ATG", "GGG"])


class GeneRegionTestToLines(unittest.TestCase):
    def test_none(self):
        self.assertEqual(GeneRegion("ACGT").to_lines("chr1"), [])

    def test_columns(self):
        region = region_of("ACGTACGT", (2, 5, "-", "x"))
        self.assertEqual(region.to_lines("chr2"), ["chr2\t.\tregion\t2\t5\t.\t-\t.\tx"])

    def test_order(self):
        region = region_of("ACGTACGT", (5, 6, "+", "a"), (1, 8, "+", "b"), (1, 2, "+", "c"))
        names = [line.split("\t")[8] for line in region.to_lines("chr1")]
        self.assertEqual(names, ["c", "b", "a"])

    def test_read_again(self):
        region = GeneRegion("CCGATCAA")
        region.mark("site", "GATC")
        again = GeneRegion("CCGATCAA")
        for line in region.to_lines("chr1"):
            again.add_line(line)
        self.assertEqual(again.features, region.features)


class GeneRegionTest(unittest.TestCase):
    def test_a_small_gene(self):
        region = GeneRegion("ccatgaaatagcc")
        region.mark("gene", "ATGAAATAG")
        region.add_line(gff(1, 5, "+", "promoter"))
        self.assertEqual(region.coding_part("gene"), ["ATG", "AAA"])
        self.assertEqual(region.overlap("gene", "promoter"), 3)
        self.assertEqual(region.letters_of("promoter"), "CCATG")


if __name__ == "__main__":
    unittest.main()
