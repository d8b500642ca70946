"""How well judges that read a change find the bug in it: cases from real repositories, figures, and answers given by hand."""
